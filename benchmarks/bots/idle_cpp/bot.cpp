// Does what player_idle.py does, with the protocol alone: no JSON is parsed but the nonce.
#include <iostream>
#include <string>

int main(int count, char** words) {
    const std::string wants = count > 1 ? words[1] : "events";
    std::ios::sync_with_stdio(false);
    std::cout << "{\"type\":\"hello\",\"protocol\":1,\"wants\":\"" << wants << "\"}" << std::endl;
    std::string line;
    std::getline(std::cin, line);
    std::cout << "{\"type\":\"ready\"}" << std::endl;
    while (std::getline(std::cin, line)) {
        const auto begin = line.find("\"nonce\":") + 8;
        const auto nonce = line.substr(begin, line.find(',', begin) - begin);
        std::cout << "{\"type\":\"answer\",\"nonce\":" << nonce << ",\"answer\":\"UP\"}" << std::endl;
    }
}
