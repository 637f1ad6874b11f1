// Adds to package-lock.json the platform packages that a registry without them could not tell npm about; npm ci wants them all named.
import { readFileSync, writeFileSync } from 'node:fs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const os = { android: 'android', darwin: 'darwin', freebsd: 'freebsd', linux: 'linux', win32: 'win32' };
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const at = `node_modules/${name}`;
    if (path === '' || lock.packages[at]) continue;
    const platform = Object.keys(os).find((one) => name.includes(`-${one}-`));
    const [, cpu, libc] = new RegExp(`-${platform}-(arm64|arm|x64|ia32|wasm32)(?:-(musl|gnu|gnueabihf|eabi|msvc))?$`).exec(name) ?? [];
    if (!platform || !cpu) {
      console.error('cannot tell', name);
      continue;
    }
    lock.packages[at] = {
      version,
      cpu: [cpu],
      ...(entry.dev && { dev: true }),
      ...(platform === 'linux' && libc === 'musl' && { libc: ['musl'] }),
      ...(platform === 'linux' && libc === 'gnu' && { libc: ['glibc'] }),
      license: entry.license,
      optional: true,
      os: [os[platform]],
      engines: entry.engines,
    };
    console.log('added', at, version, platform, cpu, libc ?? '');
  }
}
const { '': root, ...rest } = lock.packages;
lock.packages = { '': root, ...Object.fromEntries(Object.entries(rest).sort(([a], [b]) => a.localeCompare(b, 'en'))) };
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
