// The script of the documentation pages: a button copies an example for curl. Without scripts there is no button.
export const SCRIPT = `
const status = document.querySelector('#copy-status');
for (const box of document.querySelectorAll('pre.curl')) {
  const code = box.querySelector('code');
  const route = box.closest('article')?.querySelector('h3')?.textContent.trim() ?? '';
  const button = document.createElement('button');
  const show = (text) => {
    button.textContent = text;
    button.setAttribute('aria-label', text + ' the curl command of ' + route);
  };
  button.type = 'button';
  show('Copy');
  let timer;
  button.addEventListener('click', async () => {
    const isCopied = await copy(code);
    show(isCopied ? 'Copied' : 'Press Ctrl+C');
    status.textContent = button.textContent;
    clearTimeout(timer);
    timer = setTimeout(() => {
      show('Copy');
      status.textContent = '';
    }, 2000);
  });
  box.append(button);
}

/** Browsers have a clipboard for scripts only over HTTPS and on this machine. Elsewhere the text is selected. */
async function copy(code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(code);
    return document.execCommand('copy');
  }
}
`;
