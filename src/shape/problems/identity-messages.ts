// The messages about changes that would make this server another one.

export function otherServerId(from: unknown, to: unknown): string {
  const attempt = `attempting to change from [${String(from)}] to [${String(to)}]`;
  return `The value of 'serverId' uniquely identifies a Go server instance. This field cannot be modified (${attempt}).`;
}

export const OTHER_TOKEN_KEY = "The value of 'tokenGenerationKey' cannot be modified while the server is online.";
