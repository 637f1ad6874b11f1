// The settings that say where traces are sent. Those of OpenTelemetry count where ours are not given.
import { BadSetting } from './setting-values.ts';

export interface TraceSettings {
  readonly url: URL;
  /** The share of all traces that is recorded, from 0 to 1. */
  readonly ratio: number;
  /** Sent along: they may be a login of the receiver. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const TRACE_SETTINGS = [
  {
    flag: 'traces-url',
    defaultValue: '',
    about: 'receiver of traces by OTLP over HTTP, such as http://127.0.0.1:4318; unset: none are made',
  },
  { flag: 'traces-ratio', defaultValue: '1', about: 'share of all traces that is recorded, from 0 to 1' },
] as const;

const PATH = '/v1/traces';
/** Names and values as HTTP has them. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

/** Undefined: no traces are made. */
export function tracesIn(text: (flag: string) => string, environment: Environment): TraceSettings | undefined {
  const ratio = ratioIn(text('traces-ratio'));
  const url = addressIn(text('traces-url'), environment);
  if (!url) return undefined;
  const headers = headersIn(environment.OTEL_EXPORTER_OTLP_TRACES_HEADERS || environment.OTEL_EXPORTER_OTLP_HEADERS || '');
  return { url, ratio, headers, serviceName: environment.OTEL_SERVICE_NAME || 'slipway' };
}

function addressIn(own: string, environment: Environment): URL | undefined {
  if (own !== '') return withPath(read('--traces-url', own));
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ofTraces, OTEL_EXPORTER_OTLP_ENDPOINT: ofAll } = environment;
  const protocol = environment.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || environment.OTEL_EXPORTER_OTLP_PROTOCOL;
  // They are often set for all programs of a machine: those that are for another protocol are not meant for us.
  if (protocol === 'grpc' || environment.OTEL_SDK_DISABLED === 'true' || environment.OTEL_TRACES_EXPORTER === 'none') return undefined;
  if (ofTraces) return read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ofTraces);
  return ofAll ? withPath(read('OTEL_EXPORTER_OTLP_ENDPOINT', ofAll)) : undefined;
}

/** A login in the address is not repeated: it would stand in the log of the process that starts the server. */
function read(name: string, value: string): URL {
  const url = URL.parse(value);
  if (url?.username || url?.password)
    throw new BadSetting(`${name} must not contain a name or password: give OTEL_EXPORTER_OTLP_HEADERS, such as authorization=Basic%20….`);
  if (!url || !/^https?:$/.test(url.protocol)) throw new BadSetting(`${name} must be an address such as http://127.0.0.1:4318.`);
  return url;
}

function withPath(url: URL): URL {
  if (!url.pathname.endsWith(PATH)) url.pathname = url.pathname.replace(/\/*$/, PATH);
  return url;
}

function ratioIn(value: string): number {
  const ratio = Number(value);
  if (/^\d*\.?\d+$/.test(value) && ratio <= 1) return ratio;
  throw new BadSetting(`--traces-ratio must be a number from 0 to 1, such as 0.1, not '${value}'.`);
}

/** `name=value,name=value`, with percent signs as in addresses. Values are secrets, so none is repeated. */
function headersIn(text: string): Record<string, string> {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    pairs.map((pair, index) => {
      const [name = '', ...rest] = pair.split('=');
      const value = decoded(rest.join('=').trim());
      if (HEADER_NAME.test(name.trim()) && value !== undefined && HEADER_VALUE.test(value)) return [name.trim(), value];
      throw new BadSetting(`OTEL_EXPORTER_OTLP_HEADERS must look like name=value,name=value; number ${index + 1} does not.`);
    }),
  );
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // the caller reports it
  }
}
