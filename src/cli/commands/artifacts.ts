// Declares the command that takes artifacts to a bucket, and back.
import { variableOf } from '../../server/settings.ts';
import { command } from '../terminal/command.ts';
import { DATA_DIR_FLAG, DATABASE_URL_FLAG, EXIT_CODES } from '../terminal/flags.ts';

export const artifactsMoveCommand = command({
  name: 'artifacts move',
  group: 'Operation',
  summary: 'take all artifacts from the folder to a bucket, or back',
  details: [
    'No server may run in the data directory or on its database. Each file is copied, read again where it came to, and compared with the SHA-256 that the database has of it. Only when all of them are there are they deleted where they were.',
    'Cut off or killed, it goes on where it was when it is run again. Consoles stay in the folder.',
    'The account of the bucket comes by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. The server must know of the bucket, too: start it with SLIPWAY_ARTIFACTS_BUCKET afterwards, or without it.',
  ],
  flags: {
    to: { value: 'PLACE', about: 's3://bucket/prefix, or the word folder' },
    from: { value: 'BUCKET', about: 'the bucket that they are in, for --to folder', variable: variableOf('artifacts-bucket') },
    keep: { about: 'leave the files where they were, too' },
    endpoint: { value: 'URL', about: 'where the store of the bucket answers', variable: variableOf('artifacts-endpoint') },
    region: { value: 'NAME', about: 'region of the bucket', variable: variableOf('artifacts-region') },
    ...DATABASE_URL_FLAG,
    ...DATA_DIR_FLAG,
  },
  examples: [
    { command: 'artifacts move --data-dir data --to s3://ci-artifacts/slipway', about: 'into a bucket, while the server is stopped' },
    {
      command: 'artifacts move --data-dir data --from s3://ci-artifacts/slipway --to folder --keep',
      about: 'back, and leave them in the bucket, too',
    },
  ],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/artifacts/move.ts')).runArtifactsMove,
});
