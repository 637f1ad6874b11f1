// The content of a folder of artifacts. Folders are opened one by one: the content of a closed one is not in the document.
import { useMemo, useState } from 'preact/hooks';
import { addressOf, pathIn } from '../../api/address.ts';
import { bytesText } from '../../kit/text/bytes.ts';
import { type ListedFile, type ListedFolder, type ListingEntry, sortItems, totalOf } from './tree.ts';

const SHOWN_AT_ONCE = 200;
/** A folder of few files at the top is opened at once. */
const FEW = 12;

export function Folder({ items, depth }: { readonly items: readonly ListingEntry[]; readonly depth: number }) {
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const inOrder = useMemo(() => sortItems(items), [items]);
  return (
    <ul class="artifact-list">
      {inOrder.slice(0, shown).map((item) => (
        <li key={item.name}>{item.type === 'folder' ? <FolderRow folder={item} depth={depth} /> : <FileRow file={item} />}</li>
      ))}
      {items.length > shown && (
        <li>
          <button type="button" class="link-button" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
            Show {Math.min(SHOWN_AT_ONCE, items.length - shown)} more of {items.length - shown}
          </button>
        </li>
      )}
    </ul>
  );
}

function FolderRow({ folder: { name, url, files }, depth }: { readonly folder: ListedFolder; readonly depth: number }) {
  const [isOpen, setIsOpen] = useState(depth === 0 && files.length <= FEW && name !== 'cruise-output');
  const total = useMemo(() => totalOf(files), [files]);
  return (
    <>
      <div class="artifact">
        <button type="button" class="link-button artifact-name" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> {name}/
        </button>
        <span class="quiet number">
          {total.files} {total.files === 1 ? 'file' : 'files'}
          {total.bytes > 0 && `, ${bytesText(total.bytes)}`}
        </span>
        <a href={`${addressOf(pathIn(url))}?format=zip`} download={`${name}.zip`} aria-label={`Download ${name} as zip`}>
          Zip
        </a>
      </div>
      {isOpen && <Folder items={files} depth={depth + 1} />}
    </>
  );
}

function FileRow({ file: { name, url, size } }: { readonly file: ListedFile }) {
  const address = addressOf(pathIn(url));
  return (
    <div class="artifact">
      <a class="artifact-name" href={address} target="_blank" rel="noopener">
        {name}
      </a>
      <span class="quiet number">{size === undefined ? '' : bytesText(size)}</span>
      <a href={address} download={name} aria-label={`Download ${name}`}>
        Download
      </a>
    </div>
  );
}
