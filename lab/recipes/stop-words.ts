/**
 * What people write to get no more messages, as the whole text: the words that operators ask for in the United States, and
 * those of other languages. Without "cancel" and "end", which also answer a reminder.
 */
export const stopWords = [
  ...['STOP', 'STOP ALL', 'STOPALL', 'UNSUBSCRIBE', 'OPT OUT', 'OPTOUT', 'QUIT', 'REVOKE', 'Stop messaging me'],
  ...['Stopp', 'Abmelden', 'Abbestellen', 'Afmelden', 'Uitschrijven', 'Arrêt', 'Désabonner', 'Désinscription'],
  ...['Baja', 'Darme de baja', 'Alto', 'Parar', 'Sair', 'Cancelar inscrição', 'Disiscrivi', 'Cancellami'],
];
