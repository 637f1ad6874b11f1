// Which copies of the database from before migrations are kept.

const KEPT = 3;
const NAME = /^slipway-schema-\d+-(\d{8}T\d{6}Z)\.db$/;

/** The names of the copies that may be deleted: all but the newest. A file with another kind of name is not ours. */
export function superfluousCopies(names: readonly string[]): readonly string[] {
  const timed = names.flatMap((name) => {
    const [, time] = NAME.exec(name) ?? [];
    return time === undefined ? [] : [{ name, time }];
  });
  return timed
    .toSorted((one, other) => (one.time < other.time ? 1 : -1))
    .slice(KEPT)
    .map(({ name }) => name);
}
