// Package render turns results into text: tables for people, plain answers, JSON, CSV and
// Markdown for programs. It computes nothing and is the only place that knows tablewriter and
// colour.
//
// Its rules:
//
//   - The answer comes first and units are named. Nothing is decoration.
//   - Tables have no frame. Text is cut or wrapped at the width, numbers never. They are aligned
//     right.
//   - A colour means an axis, or fades what does not matter. All is said without colour too.
//   - A table and JSON say the same, JSON all of it, and JSON has one order of keys.
//   - Texts that come from users pass through [Clean].
//   - What may be large is written as it comes, in constant memory.
//   - A failed write is an error, a [WriteError].
package render
