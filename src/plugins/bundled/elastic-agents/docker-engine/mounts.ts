// Mounts as people write them in settings of Docker.
import { ClusterFailure } from '../calls/cluster-failure.ts';
import { optionsIn } from './options.ts';

export interface Mount {
  readonly Type: 'bind' | 'volume' | 'tmpfs';
  readonly Source?: string;
  readonly Target: string;
  readonly ReadOnly: boolean;
}

/** The other form is `SOURCE:TARGET`, with `:ro` after it. */
export function hasOptions(line: string): boolean {
  return /(?:^|,)\s*(?:target|destination|dst)\s*=/.test(line);
}

/** As `docker run --mount` takes it: `type=volume,source=cache,target=/cache,readonly`. */
export function mountOf(line: string): Mount {
  const options = optionsIn(line);
  const first = (...names: string[]) => names.map((name) => options.get(name)).find((value) => value !== undefined);
  const [source, target] = [first('source', 'src'), first('target', 'destination', 'dst')];
  const type = first('type') ?? (source?.startsWith('/') ? 'bind' : 'volume');
  const readOnly = first('readonly', 'ro');
  if (!target || (type !== 'bind' && type !== 'volume' && type !== 'tmpfs'))
    throw new ClusterFailure(
      `The mount '${line}' of the elastic profile cannot be read. Write it as source=/host,target=/inside,readonly.`,
    );
  return { Type: type, ...(source && { Source: source }), Target: target, ReadOnly: readOnly !== undefined && readOnly !== 'false' };
}

/** `SOURCE:TARGET` in the form that services take. */
export function bindOf(line: string): Mount {
  const [source = '', target = '', mode] = line.split(':');
  return mountOf(`source=${source},target=${target}${mode === 'ro' ? ',readonly' : ''}`);
}
