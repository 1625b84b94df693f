package descfile

// Unescape returns a string of JSON without its escapes. What is not UTF-8 becomes U+FFFD.
func Unescape(raw []byte) string { return unescape(raw) }
