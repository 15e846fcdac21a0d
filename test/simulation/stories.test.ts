import app from '../../src';
import { forms } from './stories';

test('every action of the app has its stories', () => {
  const told = forms.map(({ step }) => step).filter((step) => step in app.creates);
  expect([...new Set(told)].toSorted()).toEqual(Object.keys(app.creates).toSorted());
});
