// The client of the Slime Mind protocol for Go (docs/protocol.md): copy it beside your bot.
// play(hello, decide) does all the talking; decide(ask, start) returns the answer.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

type Start struct {
	Game string
	Team int
	Seed string
}

type Ask struct {
	Nonce int64
	Piece int
	State json.RawMessage
	Legal json.RawMessage
}

func write(message map[string]any) {
	line, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(append(line, '\n'))
}

func play(hello map[string]any, decide func(Ask, Start) (any, error)) {
	lines := bufio.NewReaderSize(os.Stdin, 1<<16)
	hello["type"], hello["protocol"] = "hello", 1
	write(hello)
	var start Start
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return // the match is over
		}
		var kind struct{ Type string }
		must(json.Unmarshal(line, &kind))
		switch kind.Type {
		case "start":
			must(json.Unmarshal(line, &start))
			write(map[string]any{"type": "ready"})
		case "ask":
			var ask Ask
			must(json.Unmarshal(line, &ask))
			answer, err := safely(decide, ask, start)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				write(map[string]any{"type": "failed", "nonce": ask.Nonce, "error": err.Error()})
			} else {
				write(map[string]any{"type": "answer", "nonce": ask.Nonce, "answer": answer})
			}
		}
	}
}

// A panic costs one decision, and not the whole process.
func safely(decide func(Ask, Start) (any, error), ask Ask, start Start) (answer any, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("panic: %v", problem)
		}
	}()
	return decide(ask, start)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
