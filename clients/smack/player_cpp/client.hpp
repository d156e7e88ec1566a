// The client of the Slime Mind protocol for C++17 (docs/protocol.md): copy it beside your bot.
// bot::play(hello, decide) does all the talking; decide(ask) returns the answer as JSON text.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace bot {

// A JSON value. Numbers are doubles: exact up to 2^53, which holds every number of the protocol.
struct Json {
    enum Kind { Null, Bool, Number, Text, List, Object } kind = Null;
    bool truth = false;
    double number = 0;
    std::string text;
    std::vector<Json> items;
    std::map<std::string, Json> fields;

    bool is_null() const { return kind == Null; }
    int integer() const { return static_cast<int>(number); }
    std::size_t size() const { return items.size(); }
    const Json& operator[](std::size_t place) const { return items.at(place); }
    const Json& operator[](const std::string& name) const {
        auto found = fields.find(name);
        if (found == fields.end()) throw std::runtime_error("there is no field " + name);
        return found->second;
    }
    bool has(const std::string& name) const { return fields.count(name) > 0; }
};

inline std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (unsigned char letter : text) {
        if (letter == '"' || letter == '\\') (out += '\\') += static_cast<char>(letter);
        else if (letter < 0x20) out += ' ';
        else out += static_cast<char>(letter);
    }
    return out + '"';
}

class Parser {
public:
    explicit Parser(const std::string& line) : at(line.c_str()) {}

    Json value() {
        Json found;
        skip();
        switch (*at) {
        case '{':
            found.kind = Json::Object;
            for (++at; !ends('}');) {
                skip();
                std::string name = text();
                expect(':');
                found.fields.emplace(std::move(name), value());
            }
            return found;
        case '[':
            found.kind = Json::List;
            for (++at; !ends(']');) found.items.push_back(value());
            return found;
        case '"': found.kind = Json::Text; found.text = text(); return found;
        case 't': at += 4; found.kind = Json::Bool; found.truth = true; return found;
        case 'f': at += 5; found.kind = Json::Bool; return found;
        case 'n': at += 4; return found;
        default:
            char* end;
            found.kind = Json::Number;
            found.number = std::strtod(at, &end);
            if (end == at) throw std::runtime_error("a line that is not JSON");
            at = end;
            return found;
        }
    }

private:
    const char* at;

    void skip() { while (*at == ' ' || *at == ',' || *at == '\n') ++at; }
    void expect(char letter) {
        skip();
        if (*at++ != letter) throw std::runtime_error("a line that is not JSON");
    }
    bool ends(char letter) {
        skip();
        if (*at == 0) throw std::runtime_error("a line that is not JSON");
        return *at == letter && ++at;
    }
    std::string text() {
        expect('"');
        std::string out;
        while (*at != '"') {
            if (*at == 0) throw std::runtime_error("a line that is not JSON");
            if (*at != '\\') { out += *at++; continue; }
            switch (*++at) {
            case 'n': out += '\n'; break;
            case 't': out += '\t'; break;
            case 'u': out += '?'; at += 4; break;  // no name in the protocol needs it
            default: out += *at;
            }
            ++at;
        }
        ++at;
        return out;
    }
};

// Says hello, reads the start, and answers until the match is over. `hello` are further fields,
// such as "\"legal\":true". `decide` is called with the start and each ask; what it throws is
// reported to the engine, which counts it against this one decision.
inline int play(const std::string& hello,
                const std::function<std::string(const Json& start, const Json& ask)>& decide) {
    std::ios::sync_with_stdio(false);
    std::cout << "{\"type\":\"hello\",\"protocol\":1" << (hello.empty() ? "" : ",") << hello
              << "}" << std::endl;
    std::string line;
    if (!std::getline(std::cin, line)) return 0;
    const Json start = Parser(line).value();
    std::cout << "{\"type\":\"ready\"}" << std::endl;
    while (std::getline(std::cin, line)) {
        const Json ask = Parser(line).value();
        if (ask["type"].text != "ask") continue;
        const std::string nonce = std::to_string(static_cast<std::int64_t>(ask["nonce"].number));
        try {
            const std::string answer = decide(start, ask);
            std::cout << "{\"type\":\"answer\",\"nonce\":" << nonce << ",\"answer\":" << answer
                      << "}" << std::endl;
        } catch (const std::exception& error) {
            std::cout << "{\"type\":\"failed\",\"nonce\":" << nonce
                      << ",\"error\":" << quoted(error.what()) << "}" << std::endl;
        }
    }
    return 0;
}

}  // namespace bot
