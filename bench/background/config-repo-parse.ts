// The cost of reading pipelines as code beside the YAML library alone, on the same bytes with the same options.
import { parse } from 'yaml';
import { yamlParser } from '../../src/formats/file-parsers.ts';
import { yamlFormat } from '../../src/formats/yaml/format.ts';
import { YAML_OPTIONS } from '../../src/kit/tree/yaml.ts';
import type { Measurement } from '../support/measurement.ts';
import { median, percentile } from '../support/statistics.ts';

const FILES = 1000;
const WARM_UP = 2;
const TURN = 20;
const MAX_RATIO = 1.5;

export const configRepoParse: Measurement = {
  name: 'config-repo-parse',
  what: 'parse of 1,000 YAML files with 5 pipelines in 2 of 10, 1 in the others',
  beside: 'the bare yaml library',
  goal: `≤ ${MAX_RATIO} ×`,
  run: async (lab) => {
    const files = Array.from({ length: FILES }, (_, number) => ({ path: `ci/${number}.gocd.yaml`, bytes: Buffer.from(fileOf(number)) }));
    const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
    const rounds: Round[] = [];
    for (let turn = 0; turn < WARM_UP + lab.scale.pace.rounds; turn++) {
      const round = measured(files);
      if (turn >= WARM_UP) rounds.push(round);
    }
    const middle = (of: (round: Round) => number) => median(rounds.map(of));
    const [ratio, ours, bare, join] = [
      middle((one) => one.ours / one.bare),
      middle((one) => one.ours),
      middle((one) => one.bare),
      middle((one) => one.join),
    ];
    const p99 = middle((one) => percentile(one.each, 0.99));
    return {
      figure: `${ratio.toFixed(2)} ×`,
      isMet: ratio <= MAX_RATIO,
      numbers: { ratio, ours, bare, join, p99, bytes },
      notes: [
        `${ours.toFixed(0)} ms beside ${bare.toFixed(0)} ms for ${(bytes / 1e6).toFixed(1)} MB; joining them takes ${join.toFixed(1)} ms`,
        `one file takes p99 ${p99.toFixed(1)} ms`,
      ],
    };
  },
};

interface Round {
  ours: number;
  bare: number;
  join: number;
  readonly each: number[];
}

interface SourceFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Both sides take turns every few files, so that other load on the machine affects both. */
function measured(files: readonly SourceFile[]): Round {
  const round: Round = { ours: 0, bare: 0, join: 0, each: [] };
  const decoder = new TextDecoder();
  const parsed: ReturnType<typeof yamlParser.parse>[] = [];
  for (let start = 0; start < files.length; start += TURN) {
    const some = files.slice(start, start + TURN);
    const sides = [
      () => {
        round.bare += timed(() => {
          for (const file of some) parse(decoder.decode(file.bytes), YAML_OPTIONS);
        });
      },
      () => {
        for (const { path, bytes } of some) round.each.push(timed(() => parsed.push(yamlParser.parse({ path, as: '' }, bytes))));
      },
    ];
    for (const side of (start / TURN) % 2 === 0 ? sides : sides.toReversed()) side();
  }
  round.join = timed(() => {
    if (yamlFormat.join(parsed).problems.length > 0) throw new Error('The files have problems.');
  });
  round.ours = round.each.reduce((sum, one) => sum + one, round.join);
  return round;
}

function timed(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

function fileOf(number: number): string {
  const pipelines = Array.from({ length: number % 10 < 2 ? 5 : 1 }, (_, index) => pipelineOf(`service-${number}-${index}`));
  return `${HEAD}pipelines:\n${pipelines.join('')}`;
}

const HEAD = `# Built by the platform team
format_version: 10
common:
  node: &node
    resources: [node, linux]
    timeout: 20
  checks: &checks
    - script: npm ci
    - exec:
        command: npm
        arguments: [run, lint]
`;

function pipelineOf(name: string): string {
  return `  ${name}:
    group: services
    label_template: "1.\${COUNT}"
    lock_behavior: unlockWhenFinished
    timer:
      spec: "0 0 22 ? * MON-FRI"
      only_on_changes: yes
    parameters:
      SERVICE: ${name}
    environment_variables:
      REGION: eu-central-1
      LOG_LEVEL: info
    secure_variables:
      DEPLOY_TOKEN: "AES:2vBwG2BRKD9ttpZvfKR2Hw==:UoXrwVFUqJ0HfMGWkmwFYg=="
    materials:
      code:
        git: https://scm.example.org/${name}.git
        branch: main
        shallow_clone: true
        destination: src
        ignore:
          - docs/**/*
          - "**/*.md"
      library:
        pipeline: library-build
        stage: package
    stages:
      - check:
          <<: *node
          tasks:
            - *checks
            - rake:
      - build:
          clean_workspace: true
          jobs:
            compile:
              <<: *node
              artifacts:
                - build:
                    source: dist/**/*.js
                    destination: out
                - test:
                    source: reports
              tabs:
                report: reports/index.html
              tasks:
                - fetch:
                    pipeline: library-build
                    stage: package
                    job: pack
                    source: library.tgz
                    is_file: yes
                - exec:
                    command: npm
                    arguments:
                      - run
                      - build
                    working_directory: src
      - release:
          approval:
            type: manual
            roles: [release-managers]
          jobs:
            publish:
              elastic_profile_id: small
              tasks:
                - script: |
                    set -e
                    ./publish.sh "\${GO_PIPELINE_LABEL}"
                - plugin:
                    configuration:
                      id: com.example.announce
                      version: 1
                    options:
                      channel: releases
                    run_if: any
`;
}
