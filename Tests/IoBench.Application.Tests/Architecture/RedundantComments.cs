using System.Text.RegularExpressions;

namespace IoBench.Application.Tests;

/// <summary>
/// Finds comments of members and parameters whose words, except articles, are all in the name or in the type ("Its name." of Name, "The
/// target." of target).
/// </summary>
internal static class RedundantComments
{
    private static readonly string[] s_articles = ["a", "an", "the", "its"];
    private static readonly Regex s_words = new(@"[A-Z]+(?![a-z])s?|[A-Z]?[a-z]+|\d+");
    private static readonly Regex s_attributes = new(@"^\s*(\[[^\]]*\]\s*)+");
    private static readonly Regex s_type = new(@"^[\w\s]*\b(?:class|struct|interface|enum|record(?: struct| class)?)\s+(\w+)");
    private static readonly Regex s_severalTypes = new("<([^<>()]*,[^<>()]*)>");
    private static readonly Regex s_reference = new("""<\w+ (?:cref|name|langword)="(?:[^"(]*\.)?([^".(]*)[^"]*"\s*/>""");
    private static readonly Regex s_summary = new("^/// <summary>(.*)</summary>$");
    private static readonly Regex s_parameter = new("""<param name="(\w+)">(.*?)</param>""");

    public static IEnumerable<(int Line, string Text)> FindComments(string[] lines)
    {
        var type = "";
        var comment = new List<int>();
        for (var i = 0; i < lines.Length; i++)
        {
            var line = lines[i].Trim();
            var code = s_attributes.Replace(line, "");
            if (line.StartsWith("///", StringComparison.Ordinal))
            {
                comment.Add(i);
            }
            else if (code.Length > 0 && !line.StartsWith("//", StringComparison.Ordinal))
            {
                type = s_type.Match(code) is { Success: true } begins ? begins.Groups[1].Value : type;
                var declaration = GetDeclaration(lines, i, code);
                foreach (var at in comment.Where(at => IsRedundant(lines[at].Trim(), declaration, type)))
                    yield return (at + 1, lines[at].Trim());
                comment.Clear();
            }
        }
    }

    private static bool IsRedundant(string comment, string declaration, string type) =>
        s_summary.Match(comment) is { Success: true } summary
            ? GetCommentWords(summary.Groups[1].Value)
                .IsSubsetOf([.. GetWords(declaration.Split('(', '{', ';', '=')[0]), .. GetWords(type)])
            : s_parameter
                .Matches(comment)
                .Any(parameter =>
                    GetCommentWords(parameter.Groups[2].Value).IsSubsetOf(GetWords(GetTypeAndName(declaration, parameter.Groups[1].Value)))
                );

    private static string GetTypeAndName(string declaration, string parameter)
    {
        while (s_severalTypes.IsMatch(declaration))
            declaration = s_severalTypes.Replace(declaration, types => "[" + types.Groups[1].Value.Replace(',', ' ') + "]");
        return Regex.Match(declaration, @"[^(,]*\b" + parameter + @"\b").Value + " " + parameter;
    }

    private static string GetDeclaration(string[] lines, int first, string code)
    {
        for (var next = first + 1; next < lines.Length && code.Count(c => c == '(') > code.Count(c => c == ')'); next++)
            code += " " + lines[next].Trim();
        return code;
    }

    private static HashSet<string> GetCommentWords(string text) =>
        [
            .. GetWords(Regex.Replace(s_reference.Replace(text, "$1"), "<[^>]*>", " ").Replace("I/O", "IO", StringComparison.Ordinal))
                .Except(s_articles),
        ];

    private static HashSet<string> GetWords(string text) =>
        [.. s_words.Matches(text).Select(word => ToSingular(word.Value.ToLowerInvariant()))];

    private static string ToSingular(string word) =>
        word.EndsWith("ies", StringComparison.Ordinal) && word.Length > 4 ? word[..^3] + "y"
        : word.EndsWith('s') && !word.EndsWith("ss", StringComparison.Ordinal) && word.Length > 3 ? word[..^1]
        : word;
}
