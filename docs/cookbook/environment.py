"""Play at random in an environment for reinforcement learning (needs the extra `learning`)."""

from slime_mind_arena.learning.match_env import MatchEnv

env = MatchEnv("slime_mind", settings={"max_turns": 20})
env.reset(seed=7)
total = dict.fromkeys(env.agents, 0.0)
for agent in env.agent_iter():
    shown, reward, terminated, truncated, _ = env.last()
    total[agent] += reward
    over = terminated or truncated
    env.step(None if over else env.action_space(agent).sample(shown["action_mask"]))
print(total)
