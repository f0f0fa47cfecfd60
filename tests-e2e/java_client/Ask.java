import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Base64;
import java.util.Scanner;

/**
 * Sends requests with the HttpClient of the JDK as it comes, each with a client of its own, so that each offers h2c.
 *
 * <p>Input: a line per request, of words that are base64: method, address, body, then names and values of headers.
 * Output: a line per answer: its status and its body, base64.
 */
public class Ask {
  public static void main(String[] arguments) throws Exception {
    Scanner lines = new Scanner(System.in);
    while (lines.hasNextLine()) {
      String[] words = lines.nextLine().split(" ", -1);
      for (int i = 0; i < words.length; i++) {
        words[i] = new String(Base64.getDecoder().decode(words[i]), "UTF-8");
      }
      var request = HttpRequest.newBuilder(URI.create(words[1]));
      request.method(words[0], words[2].isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(words[2]));
      for (int i = 3; i < words.length; i += 2) {
        request.header(words[i], words[i + 1]);
      }
      var answer = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofByteArray());
      System.out.println(answer.statusCode() + " " + Base64.getEncoder().encodeToString(answer.body()));
    }
  }
}
