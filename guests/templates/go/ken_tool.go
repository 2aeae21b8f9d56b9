// The functions with which a tool talks to ken. They are part of your tool: change them as you like.
// This is the canonical ABI of the world `tool`, written by hand, so that no binding generator is needed.

package main

import "unsafe"

// Call is a call, as ken makes it.
type Call struct {
	// The directory you work in; paths below it can be read, and written where that was allowed.
	Root string
	// Which tool is meant, for components that hold several.
	Name string
	// A JSON object.
	Arguments string
	// Answers to earlier questions, by their ids: a JSON object.
	Answers string
}

// Outcome is what a call gives. Make it with Success, Failure or Ask.
type Outcome struct {
	tag   uint32
	texts []string
}

// Success gives a text to the assistant.
func Success(text string) Outcome { return Outcome{0, []string{text}} }

// Failure tells the assistant what went wrong.
func Failure(message string) Outcome { return Outcome{1, []string{message}} }

// Ask asks a person: the tool is called again, from its beginning, with the answer in Call.Answers.
// answerType is `boolean`, `text` or `{"select":{"options":[…]}}`.
func Ask(id, text, answerType string) Outcome { return Outcome{2, []string{id, text, answerType}} }

// What the host reads after the call, which the garbage collector must leave alone.
var answer struct {
	words [10]uint32
	texts []string
}

// The place of what translates between this program and its host. "ken tools build" finds it by its first bytes.
var adapterMemory = struct {
	_    [0]uint64
	mark [64]byte
	rest [2 * 65536]byte
}{mark: [64]byte{
	'k', 'e', 'n', ':', ' ', 'm', 'e', 'm', 'o', 'r', 'y', ' ', 'o', 'f', ' ',
	't', 'h', 'e', ' ', 'a', 'd', 'a', 'p', 't', 'e', 'r',
}}

// Memory that the host fills before the call.
var given [][]byte

//go:wasmexport cabi_realloc
func cabiRealloc(old, oldSize, align, size uint32) uint32 {
	if size == 0 {
		return align
	}
	// Whole words, so that every alignment that the host wants is there.
	words := make([]uint64, (size+7)/8)
	block := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), size)
	if oldSize > 0 {
		copy(block, unsafe.Slice((*byte)(unsafe.Pointer(uintptr(old))), oldSize))
	}
	given = append(given, block)
	return addressOf(unsafe.Pointer(&block[0]))
}

//go:wasmexport run
func kenRun(root, rootLength, action, name, nameLength, arguments, argumentsLength, answers, answersLength uint32) uint32 {
	call := Call{
		Root:      textAt(root, rootLength),
		Name:      textAt(name, nameLength),
		Arguments: textAt(arguments, argumentsLength),
		Answers:   textAt(answers, answersLength),
	}
	var outcome Outcome
	if action == 0 {
		outcome = run(call)
	} else {
		outcome = Success(format(call))
	}
	if adapterMemory.mark[0] != 'k' {
		panic("the memory of the adapter was overwritten")
	}
	answer.words = [10]uint32{outcome.tag}
	answer.texts = outcome.texts
	for at, text := range outcome.texts {
		answer.words[1+2*at] = addressOf(unsafe.Pointer(unsafe.StringData(text)))
		answer.words[2+2*at] = uint32(len(text))
	}
	return addressOf(unsafe.Pointer(&answer.words))
}

func textAt(at, length uint32) string {
	if length == 0 {
		return ""
	}
	return unsafe.String((*byte)(unsafe.Pointer(uintptr(at))), length)
}

func addressOf(pointer unsafe.Pointer) uint32 { return uint32(uintptr(pointer)) }

// The host calls run, and main never.
func main() {}
