// Light or dark, dense or comfortable, as it was chosen last. Runs before anything is drawn, so that nothing flashes.

const readChoice = (name: string): string | null => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null; // The browser keeps nothing for this site: the system's choice it is.
  }
};

const theme = readChoice('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
if (readChoice('density') === 'comfortable') document.documentElement.dataset.density = 'comfortable';
