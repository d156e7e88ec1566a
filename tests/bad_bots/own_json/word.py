WORD = "UP"
