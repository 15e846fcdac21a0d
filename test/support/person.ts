/** A contact as a form has it, and as it's written. */
export const person = {
  phone: '(202) 555-0123',
  email: ' noor@example.com ',
  first_name: 'Noor',
  last_name: 'Visser',
  language: 'nl',
  consent: 'Opted in',
  attributes: { customer_number: 10482, note: '' },
};

export const written = {
  phone: '+12025550123',
  email: 'noor@example.com',
  first_name: 'Noor',
  last_name: 'Visser',
  language: 'nl',
  consent: 'opted_in',
  attributes: { customer_number: '10482' },
};
