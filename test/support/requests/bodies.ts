// Bodies of small entities, for tests that are about something else.

/** An artifact store with a secret. */
export const s3Store = (id: string, bucket = 'bucket', secret = 'hidden-c4') => ({
  id,
  plugin_id: 'cd.go.artifact.s3',
  properties: [
    { key: 'S3Bucket', value: bucket },
    { key: 'AWSAccessKey', value: 'key' },
    { key: 'AWSSecretAccessKey', value: secret },
  ],
});

export const dockerCluster = (id: string) => ({
  id,
  plugin_id: 'cd.go.contrib.elastic-agent.docker',
  properties: [
    { key: 'go_server_url', value: 'https://cd.example.com' },
    { key: 'docker_uri', value: 'tcp://docker.example.org:2376' },
    { key: 'max_docker_containers', value: '20' },
    { key: 'auto_register_timeout', value: '5' },
  ],
});

export const gitMaterial = (name: string) => ({
  type: 'git',
  attributes: { url: `https://scm.example.org/${name}.git`, auto_update: false },
});

export const smallPipeline = <M extends object>(name: string, more?: M) => ({
  name,
  materials: [gitMaterial(name)],
  stages: [{ name: 'build', jobs: [{ name: 'compile', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }] }],
  ...(more as M),
});
