// Answers what it was told to, without any work: shows how much the generator itself can take.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const answers = new Map(Object.entries(JSON.parse(readFileSync(process.env.ANSWERS, "utf8"))));

createServer((request, response) => {
  let body = "";
  request.on("data", (piece) => (body += piece));
  request.on("end", () => response.end(answers.get(body)));
}).listen(Number(process.env.PORT), "127.0.0.1");
