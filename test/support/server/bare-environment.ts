// The environment that a test gives to a program of ours: nothing of the machine's settings, but the cache of compiled code, and no agents.

export function bareEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, SLIPWAY_LOCAL_AGENTS: '0', ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }), ...more };
}
