process.env.CONTRACT = 'whole';
