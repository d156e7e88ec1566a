// A greedy bot for Slime Mind: it goes to the nearest plant and bites until it is gone.
package main

import (
	"encoding/json"
	"strconv"
)

type place struct{ x, y int }

// Pieces are arrays, in the order that docs/protocol.md lists; a slime's last value is no number.
type board struct {
	Settings struct {
		Columns, Rows int
		YUp           bool `json:"y_up"`
	}
	Slimes map[string][]any
	Plants map[string][]int
	Rocks  map[string][]int
}

func far(one, other place) int { return abs(one.x-other.x) + abs(one.y-other.y) }

func abs(number int) int {
	if number < 0 {
		return -number
	}
	return number
}

func number(value any) int { return int(value.(float64)) }

func decide(ask Ask, start Start) (any, error) {
	var now board
	if err := json.Unmarshal(ask.State, &now); err != nil {
		return nil, err
	}
	mine := now.Slimes[strconv.Itoa(ask.Piece)]
	me := place{number(mine[2]), number(mine[3])}
	taken := map[place]bool{}
	goal, nearest := place{}, -1
	consider := func(at place, handicap int) {
		// Of equally near ones the upper left one: Go goes through maps in any order.
		way := far(me, at) + handicap
		isFirst := at.y < goal.y || (at.y == goal.y && at.x < goal.x)
		if nearest < 0 || way < nearest || (way == nearest && isFirst) {
			goal, nearest = at, way
		}
	}
	for _, rock := range now.Rocks {
		taken[place{rock[1], rock[2]}] = true
	}
	for _, plant := range now.Plants {
		at := place{plant[1], plant[2]}
		taken[at] = true
		consider(at, 0)
	}
	for _, slime := range now.Slimes {
		at := place{number(slime[2]), number(slime[3])}
		taken[at] = true
		if number(slime[1]) != start.Team { // enemies only where no plant is left
			consider(at, 1000)
		}
	}
	if nearest < 0 {
		return "MERGE", nil
	}
	return step(me, goal, taken, now), nil
}

func step(me, goal place, taken map[place]bool, now board) string {
	up := -1
	if now.Settings.YUp {
		up = 1
	}
	ways := []struct {
		name string
		by   place
	}{{"LEFT", place{-1, 0}}, {"RIGHT", place{1, 0}}, {"UP", place{0, up}}, {"DOWN", place{0, -up}}}
	best, least := "MERGE", 1<<30
	for _, way := range ways {
		to := place{me.x + way.by.x, me.y + way.by.y}
		if to == goal {
			return "BITE" + way.name
		}
		isOnMap := 0 <= to.x && to.x < now.Settings.Columns && 0 <= to.y && to.y < now.Settings.Rows
		if isOnMap && !taken[to] && far(to, goal) < least {
			best, least = way.name, far(to, goal)
		}
	}
	return best
}

func main() { play(map[string]any{"name": "Grazer in Go"}, decide) }
