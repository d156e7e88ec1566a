"""Works out the next nonces from those of 640 asks, and answers before it has read."""

import os
import random
import time

from engine.games.slime_mind.player import BasePlayer
from tests.engine.bots.escapes import worker

SEEN = 640
WORDS, AHEAD = 624, 397
"""Of the Mersenne Twister: the words of its state, and which of them makes the next one."""
TWIST, LOW_MASK = 0x9908B0DF, 0x7FFFFFFF
READ, WRITE = os.read, os.write


MIXES = (
    lambda word: word >> 11,
    lambda word: word << 7 & 0x9D2C5680,
    lambda word: word << 15 & 0xEFC60000,
    lambda word: word >> 18,
)
"""What the twister makes of a word of its state before it gives it away."""


def temper(word):
    for mix in MIXES:
        word ^= mix(word)
    return word


def untemper(word):
    for mix in reversed(MIXES):
        given = word
        for _ in range(5):
            word = given ^ mix(word)
    return word


def the_twister(seen):
    """The one that gave these by `getrandbits(52)`; None if none did.

    Each is a whole word, and the upper 20 bits of the one after it. Such a word follows from
    whole ones but for one bit, which its own upper bits tell.
    """
    words = {2 * place: untemper(nonce & 0xFFFFFFFF) for place, nonce in enumerate(seen)}
    for place in range(WORDS + 1, 2 * len(seen), 2):
        for top in (0, 1 << 31):
            mixed = top | words[place - WORDS + 1] & LOW_MASK
            word = words[place - WORDS + AHEAD] ^ mixed >> 1 ^ (mixed & 1) * TWIST
            if temper(word) >> 12 == seen[place // 2] >> 32:
                words[place] = word
    state = [words.get(place) for place in range(2 * len(seen) - WORDS, 2 * len(seen))]
    if None in state:
        return None
    twister = random.Random()
    twister.setstate((3, (*state, WORDS), None))
    return twister


class Player(BasePlayer):
    def __init__(self, board, team):
        super().__init__(board, team)
        self.seen = []

    def decide(self, slime):
        its_worker, nonce = worker()
        self.seen.append(nonce)
        if len(self.seen) == SEEN:
            twister = the_twister(self.seen)
            guess = twister.getrandbits(52) if twister else nonce + 1
            os.read = lambda *words: self.answer_ahead(its_worker._writer, guess, *words)
        if len(self.seen) == SEEN + 2:
            print("escaped: an answer to an ask that was not read was accepted")
        return "UP"

    def answer_ahead(self, writer, guess, *parts):
        time.sleep(0.01)  # the engine takes the answer before
        WRITE(writer, b'[%d,"UP"]\n' % guess)
        os.read, os.write = READ, self.keep_back
        return READ(*parts)

    def keep_back(self, writer, line):
        os.write = WRITE
