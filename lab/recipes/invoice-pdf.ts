import { brand } from '../../src/brand';
import { other, type Recipe } from './recipe';

export const invoicePdf: Recipe = {
  name: 'Invoice as a PDF for each new order',
  group: 'Orders',
  line: 'Make the invoice, and send it to the phone.',
  title: `Send ${brand.name} invoices made in PDFMonkey for new Shopify orders`,
  description: `An invoice in a chat isn't lost in the spam folder. For each new paid order in Shopify, this integration fills in your invoice in PDFMonkey and sends the PDF through ${brand.name}, with a button to open it again. The customer has it seconds after the payment.`,
  watchOut:
    'Your template needs a document as its header. Whoever has the link to the PDF can open it until it expires, so keep that time short in PDFMonkey. Another app that makes PDFs works as well if it gives a link that opens without a login.',
  steps: [
    other('Shopify', 'New Paid Order', {
      gives: {
        id: 5678901234568,
        name: '#1042',
        order_number: 1042,
        created_at: '2026-06-11T09:40:12-04:00',
        email: 'noor.visser@example.com',
        total_price: '59.90',
        currency: 'USD',
        customer: { first_name: 'Noor', last_name: 'Visser' },
        shipping_address: { phone: '(202) 555-0123', country_code: 'US' },
      },
    }),
    other('PDFMonkey', 'Generate Document', {
      fields: {
        Template: 'Invoice',
        Number: '{{1.order_number}}',
        Customer: '{{1.customer.first_name}} {{1.customer.last_name}}',
        Total: '{{1.currency}} {{1.total_price}}',
      },
      gives: {
        id: '8e1f3a52',
        status: 'success',
        filename: 'invoice-1042.pdf',
        download_url: 'https://files.example.com/invoice-1042.pdf',
      },
    }),
    {
      type: 'app',
      operation: 'creates.send_message',
      values: { to: '{{1.shipping_address.phone}}', deduplication_key: '{{1.id}}' },
      choices: {
        channel: 'whatsapp',
        template: 'invoice_ready',
        variable_invoice: '{{2.download_url}}',
        variable_invoice_number: '{{1.order_number}}',
        variable_amount: '{{1.currency}} {{1.total_price}}',
      },
    },
  ],
  examples: [
    {
      name: 'an order',
      outcome: {
        sent: [{ to: '+12025550123', text: 'Your invoice 1042 for USD 59.90 is ready.' }],
        received: [{ app: 'PDFMonkey', fields: { Number: '1042', Customer: 'Noor Visser', Total: 'USD 59.90' } }],
      },
    },
  ],
};
