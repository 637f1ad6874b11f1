// The files and folders in the work directory of an agent, besides `pipelines/` and `cache/`.

export const LOCK_FILE = 'agent.lock';
export const IDENTITY_FILE = 'agent.json';
export const SPOOL_FOLDER = 'console';
