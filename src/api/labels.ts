const abbreviations: Record<string, string> = { id: 'ID', url: 'Link' };

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Returns the words for a key of the API, as a title: `campaign_id` is "Campaign ID". */
export const toLabel = (key: string): string =>
  key
    .split('_')
    .map((word) => abbreviations[word] ?? capitalize(word))
    .join(' ');
