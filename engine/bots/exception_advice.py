"""Advice on exceptions and syntax errors of a bot, by what Python says of them."""

ON_EXCEPTION = (
    "correct that line for these values, or what they come from; print() and self.log show more"
)
"""Where no more is known of an exception than its line and values."""
ON_SYNTAX = "correct that line, or what is left open before it"
EXCEPTIONS = {
    "IndexError: ": "compare the index with len(...) first, or loop over the items themselves",
    "KeyError: ": "ask with .get(KEY), or test `KEY in ...` first",
    "NameError: ": "spell it as where it is defined, or define it first; what belongs to the bot "
    "is self.NAME",
    "UnboundLocalError: ": "give it a value on each way to this line: an assignment within an `if` "
    "or a loop may not have run",
    "ZeroDivisionError: ": "handle 0 before this line: `if n:`, or max(1, n)",
    "RecursionError: ": "let a condition end it: here a function calls itself again and again",
    "AssertionError: ": "what the bot asserts is not so for these values: correct what makes them, "
    "or take the assertion out",
    "StopIteration: ": "give next() what to return at the end: next(..., None)",
    "'NoneType' object": "test it with `is not None` first: what finds nothing returns None",
    "object has no attribute": "use a name that it has, or look at the line that made it: its "
    "type may be another than you think",
    "can only concatenate": "make both the same type: str(...) for text, int(...) for numbers",
    "unsupported operand": "make both the same type: str(...) for text, int(...) for numbers",
    "not supported between": "make both the same type before they are compared: int(...), or key= "
    "of sorted, min and max",
    "is not callable": "take out the (...) behind it: it is a value; or a name of yours hides a "
    "function",
    "required positional": "pass what is missing; docs/library.md has what each method takes",
    "unexpected keyword": "pass only what it takes; docs/library.md has what each method takes",
    "positional argument": "pass only what it takes; docs/library.md has what each method takes",
    "is not iterable": "loop over a list: this is a single value",
    "is not subscriptable": "take out the [...] behind it: it is a single value",
    "to unpack": "give the left side as many names as there are values",
    "ValueError: ": "test the value first: its type is right, and what it holds is not",
    "RuntimeError: ": "return an order instead of raising: what is raised loses the decision",
}
"""What to do about an exception, by a part of its words; the first that is found counts."""
SYNTAX_ERRORS = {
    "was never closed": "close that bracket: what follows is read as its contents",
    "does not match opening": "close each bracket by its own kind, the last that opened first",
    "expected ':'": "put a colon at the end of that line",
    "unexpected indent": "indent it as the line above: only what follows a colon goes further in",
    "unindent does not match": "indent it as one of the lines above, by spaces alone",
    "tabs and spaces": "indent by spaces alone, four a level: editors can replace the tabs",
    "expected an indented block": "indent what belongs below it by four spaces, or write pass",
    "unterminated": "end that text with the quote it began with, on the same line",
    "outside function": "indent it into the function it belongs to",
    "cannot assign": "compare with ==; only a name can stand left of =",
    "Maybe you meant '=='": "compare with ==; = gives a name a value",
    "Perhaps you forgot a comma": "put a comma between the two",
    "Missing parentheses in call": "put parentheses around what it prints: print(...)",
}


def advise_on_exception(words: str) -> str:
    """Return what to do about an exception of a bot in Python; `words` are its kind and text."""
    return next((told for part, told in EXCEPTIONS.items() if part in words), ON_EXCEPTION)


def advise_on_syntax_error(words: str) -> str:
    """Return what to do about a source that Python cannot read; `words` say why."""
    return next((told for part, told in SYNTAX_ERRORS.items() if part in words), ON_SYNTAX)
