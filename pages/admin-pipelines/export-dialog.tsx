// A pipeline as a file for a config repo.
import { useEffect, useState } from 'preact/hooks';
import { path } from '../api/address.ts';
import { request } from '../api/client.ts';
import { messageOf } from '../api/failure.ts';
import { Dialog } from '../kit/dialog/dialog.tsx';
import { Command, Loading } from '../kit/states.tsx';

const FORMATS = [
  { plugin: 'yaml.config.plugin', label: 'YAML' },
  { plugin: 'json.config.plugin', label: 'JSON' },
] as const;

export function ExportDialog({ pipeline, onClose }: { readonly pipeline: string; readonly onClose: () => void }) {
  const [plugin, setPlugin] = useState<string>(FORMATS[0].plugin);
  const [text, setText] = useState<string>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    const leaving = new AbortController();
    setText(undefined);
    setFailure(undefined);
    request(path`/api/admin/export/pipelines/${pipeline}?plugin_id=${plugin}`, { version: 1, signal: leaving.signal })
      .then((response) => response.text())
      .then(setText, (problem: unknown) => !leaving.signal.aborted && setFailure(messageOf(problem)));
    return () => leaving.abort();
  }, [plugin]);
  return (
    <Dialog title={`Export ${pipeline}`} onClose={onClose} isWide>
      <p>Commit this to a config repo. Secrets stay encrypted, and open only on this server.</p>
      <fieldset class="chips" aria-label="Format">
        {FORMATS.map(({ plugin: id, label }) => (
          <button key={id} type="button" class="chip" aria-pressed={plugin === id} onClick={() => setPlugin(id)}>
            {label}
          </button>
        ))}
      </fieldset>
      {failure !== undefined && (
        <p class="refusal" role="alert">
          {failure}
        </p>
      )}
      {text === undefined && failure === undefined && <Loading />}
      {text !== undefined && <Command text={text} />}
    </Dialog>
  );
}
