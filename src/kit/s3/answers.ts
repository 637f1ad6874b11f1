// Reads the XML answers of stores: a few known elements, at any place.

/** The code and the message of an error. The rest of the answer is not repeated. */
export function reasonIn(text: string): string {
  return [tagged(text, 'Code'), tagged(text, 'Message')].filter(Boolean).join(': ');
}

/** The text of the first element of this name. */
export function tagged(xml: string, tag: string): string | undefined {
  const [, text] = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml) ?? [];
  return text === undefined ? undefined : unescaped(text);
}

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
}

export interface ListPage {
  readonly objects: readonly ListedObject[];
  /** By which the next page is asked for; undefined: there is none. */
  readonly next: string | undefined;
}

export function listIn(xml: string): ListPage {
  const objects = xml
    .split('<Contents>')
    .slice(1)
    .map((one) => ({ key: tagged(one, 'Key') ?? '', bytes: Number(tagged(one, 'Size') ?? 0) }));
  const isCut = tagged(xml, 'IsTruncated') === 'true';
  return { objects, next: isCut ? tagged(xml, 'NextContinuationToken') : undefined };
}

export interface UndeletedObject {
  readonly key: string;
  /** In the words of the store. */
  readonly reason: string;
}

export function undeletedIn(xml: string): UndeletedObject[] {
  return xml
    .split('<Error>')
    .slice(1)
    .map((one) => ({ key: tagged(one, 'Key') ?? '', reason: reasonIn(one) }));
}

export interface UnfinishedUpload {
  readonly key: string;
  readonly upload: string;
}

export interface UploadPage {
  readonly uploads: readonly UnfinishedUpload[];
  /** Behind which the next page begins; undefined: there is none. */
  readonly next: UnfinishedUpload | undefined;
}

export function uploadsIn(xml: string): UploadPage {
  const uploads = xml
    .split('<Upload>')
    .slice(1)
    .map((one) => ({ key: tagged(one, 'Key') ?? '', upload: tagged(one, 'UploadId') ?? '' }));
  const [key, upload] = [tagged(xml, 'NextKeyMarker'), tagged(xml, 'NextUploadIdMarker')];
  const isCut = tagged(xml, 'IsTruncated') === 'true' && uploads.length > 0;
  return { uploads, next: isCut && key !== undefined && upload !== undefined ? { key, upload } : undefined };
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function unescaped(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|quot|apos|amp));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
