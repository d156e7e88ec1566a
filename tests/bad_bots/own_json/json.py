raise RuntimeError("the wrong json")
