// What a program of ours is given by a test: nothing of the machine's settings, but code that is compiled already, and no agents.

export function bareEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, SLIPWAY_LOCAL_AGENTS: '0', ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }), ...more };
}
