# Lists the fields and the values of enumerations in model_config.proto, one a line.
import re, sys
text = re.sub(r'//[^\n]*', '', open(sys.argv[1]).read())
tokens = re.findall(r'"[^"]*"|[\w.]+|[{}=;<>,]', text)
stack, i = [], 0
while i < len(tokens):
    t = tokens[i]
    if t in ('message', 'enum', 'oneof'):
        stack.append((t, tokens[i+1])); i += 3; continue
    if t == '}':
        stack.pop(); i += 1; continue
    if t in ('syntax', 'package'):
        i = tokens.index(';', i) + 1; continue
    scope = '.'.join(n for k, n in stack if k != 'oneof')
    end = tokens.index(';', i)
    words = tokens[i:end]
    if stack[-1][0] == 'enum':
        print('value', scope, words[0], words[2])
    else:
        oneof = stack[-1][1] if stack[-1][0] == 'oneof' else '-'
        rep = 'one'
        if words[0] == 'repeated':
            rep, words = 'many', words[1:]
        typ = words[0]
        if typ == 'map':
            rep, typ = 'map', words[2] + ',' + words[4]
            words = words[5:]
        name, number = words[-3], words[-1]
        print('field', scope, name, number, rep, typ, oneof)
    i = end + 1
