/** A name as a person would write it: `parcel_sms (en)` is "Parcel sms (en)". Other names stay as they are. */
export const readable = (name: string): string => {
  if (!/^[a-z0-9]+(_[a-z0-9]+)+(?: |$)/.test(name)) return name;
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The name of a choice, without what its list says of it: "Parcel delivered (utility, en): Your parcel …". */
export const nameOfChoice = (label: string): string => readable(label).replace(/ \([a-z, -]+\)(: .*)?$/is, '');
