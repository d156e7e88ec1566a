// A greedy bot for Smack!: it takes the move that captures most, or else any.
package main

import (
	"encoding/json"
	"math/rand"
	"strconv"
	"strings"
)

const files = "ABCDEFGHJKLMNOP"

type place struct{ x, y int }

func firstOf(y int) int {
	switch {
	case y < 5:
		return 5 - y
	case y > 9:
		return y - 9
	}
	return 0
}

// The pieces of a position's text, by square: rows from the top, numbers are empty squares.
func piecesOf(text string) map[place]rune {
	pieces := map[place]rune{}
	rows := strings.Split(strings.Fields(text)[0], "/")
	for y, row := range rows {
		x, run := firstOf(y), 0
		for _, letter := range row {
			if '0' <= letter && letter <= '9' {
				run = 10*run + int(letter-'0')
				continue
			}
			x, run = x+run, 0
			pieces[place{x, y}] = letter
			x++
		}
	}
	return pieces
}

func gainOf(move string, pieces map[place]rune, areNerds bool) int {
	target := move[strings.Index(move, "-")+1:]
	rank, _ := strconv.Atoi(target[1:])
	to := place{strings.IndexByte(files, target[0]), 15 - rank}
	if areNerds {
		if _, isThere := pieces[to]; isThere {
			return 4
		}
		return 0
	}
	gain := 0
	for dx := -1; dx <= 1; dx++ {
		for dy := -1; dy <= 1; dy++ {
			if pieces[place{to.x + dx, to.y + dy}] == 'n' {
				gain++
			}
		}
	}
	return gain
}

var chance *rand.Rand

func decide(ask Ask, start Start) (any, error) {
	if chance == nil { // the same match, played again, is the same
		seed, _ := strconv.ParseInt(start.Seed[len(start.Seed)-8:], 16, 64)
		chance = rand.New(rand.NewSource(seed))
	}
	var boards struct{ Halves []struct{ Text string } }
	if err := json.Unmarshal(ask.State, &boards); err != nil {
		return nil, err
	}
	var legal []struct {
		Move string
		End  bool
	}
	if err := json.Unmarshal(ask.Legal, &legal); err != nil {
		return nil, err
	}
	text := boards.Halves[ask.Piece-1].Text
	pieces := piecesOf(text)
	best, most := []string{}, -1
	for _, order := range legal {
		gain := gainOf(order.Move, pieces, strings.HasSuffix(text, "n"))
		if order.End || gain < most {
			continue
		}
		if gain > most {
			best, most = nil, gain
		}
		best = append(best, order.Move)
	}
	return best[chance.Intn(len(best))], nil
}

func main() { play(map[string]any{"name": "Grabber in Go", "legal": true}, decide) }
