using System.Buffers;
using System.Text.RegularExpressions;

namespace IoBench.Formats;

/// <summary>Names can have a folder, with the path separators of Windows or Linux, and an extension.</summary>
internal static partial class ToolName
{
    private static readonly string[] s_diskSpd = ["diskspd", "diskspd64", "diskspd32"];
    private static readonly string[] s_sqlio = ["sqlio", "sqlio64", "sqlio2"];

    internal static bool IsDiskSpd(string word) => s_diskSpd.Contains(GetProgramName(word), StringComparer.OrdinalIgnoreCase);

    internal static bool IsSqlio(string word) => s_sqlio.Contains(GetProgramName(word), StringComparer.OrdinalIgnoreCase);

    internal static bool IsFio(string word) => GetProgramName(word).Equals("fio", StringComparison.OrdinalIgnoreCase);

    internal static bool IsTool(string word) => IsDiskSpd(word) || IsSqlio(word) || IsFio(word);

    internal static string GetProgramName(string word)
    {
        var name = word[(word.LastIndexOfAny(['\\', '/']) + 1)..];
        return name.EndsWith(".exe", StringComparison.OrdinalIgnoreCase) ? name[..^4] : name;
    }

    /// <summary><c>-h</c> is also an option of DiskSpd, so it requests help only if it is the only argument.</summary>
    public static bool IsHelpRequest(IReadOnlyList<string> args) =>
        args.Any(arg => arg is "-?" or "/?" or "--help" or "-help") || args is ["-h"] or ["/h"];

    internal static bool ContainsToolName(string text) =>
        text.Contains("sqlio", StringComparison.OrdinalIgnoreCase)
        || text.Contains("diskspd", StringComparison.OrdinalIgnoreCase)
        || text.Contains("fio", StringComparison.OrdinalIgnoreCase);

    /// <summary>Removes the prompt and the call operator of <c>PS C:\test&gt; &amp; .\diskspd …</c>.</summary>
    internal static string RemovePrompt(string text)
    {
        if (
            !ContainsToolName(text)
            || GetPromptRegex().Match(text) is not { Success: true } prompt
            || GetToolRegex().IsMatch(prompt.Groups["prompt"].Value)
        )
            return text;
        var command = prompt.Groups["command"].Value;
        if (command.StartsWith("& ", StringComparison.Ordinal) || command.StartsWith(". ", StringComparison.Ordinal))
            command = command[2..].TrimStart();
        return GetToolRegex().IsMatch(command) && TryFindTool(CommandLineSplitter.Split(command), out _, out _) ? command : text;
    }

    private static readonly string[] s_prefixes =
    [
        "sudo",
        "doas",
        "time",
        "env",
        "nice",
        "ionice",
        "chrt",
        "numactl",
        "taskset",
        "timeout",
        "nohup",
        "setsid",
        "stdbuf",
        "exec",
    ];

    /// <summary>Finds the tool behind Linux programs that start it, such as <c>sudo taskset -c 0-3 fio …</c>; -1 if it is none.</summary>
    private static int FindPrefixedTool(IReadOnlyList<string> words)
    {
        var hasPrefix = false;
        for (var i = 0; i < words.Count; i++)
        {
            if (hasPrefix && IsTool(words[i]))
                return i;
            var isPrefix = s_prefixes.Contains(GetProgramName(words[i]), StringComparer.Ordinal);
            if (!isPrefix && !IsAssignment(words[i]) && !(hasPrefix && IsPrefixArgument(words, i)))
                return -1;
            hasPrefix = true;
        }
        return -1;
    }

    private static bool IsAssignment(string word) =>
        word.IndexOf('=', StringComparison.Ordinal) is > 0 and var at
        && (char.IsAsciiLetter(word[0]) || word[0] == '_')
        && word.AsSpan(0, at).IndexOfAnyExcept(s_nameCharacters) < 0;

    private static readonly SearchValues<char> s_nameCharacters = SearchValues.Create(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"
    );

    /// <summary>An option, its value, or a number such as a duration or a mask of processors.</summary>
    private static bool IsPrefixArgument(IReadOnlyList<string> words, int at) =>
        words[at].StartsWith('-') || char.IsAsciiDigit(words[at].FirstOrDefault()) || words[at - 1].StartsWith('-');

    /// <summary>Skips words that start a program: call, start /wait, cmd /c, iobench, sudo.</summary>
    internal static bool TryFindTool(IReadOnlyList<string> words, out int start, out bool isParallel)
    {
        start = 0;
        isParallel = false;
        var name = GetProgramName(words[0]).ToUpperInvariant();
        switch (name)
        {
            case "CALL":
                start = 1;
                break;
            case "CMD":
                start = FindOption(words, "/C") + 1;
                break;
            case "START":
                isParallel = FindOption(words, "/WAIT") == 0 && FindOption(words, "/W") == 0;
                start = SkipWords(words, w => w.Length == 0 || w[0] == '/' || w.Contains(' ', StringComparison.Ordinal) && !IsTool(w));
                break;
            case "IOBENCH":
                start = SkipWords(words, w => w.StartsWith('-'));
                break;
        }
        if (start < words.Count && IsTool(words[start]))
            return true;
        if (start > 0 || FindPrefixedTool(words) is not (>= 0 and var prefixed))
            return false;
        start = prefixed;
        return true;
    }

    private static int FindOption(IReadOnlyList<string> words, string option)
    {
        for (var i = 1; i < words.Count; i++)
        {
            if (words[i].Equals(option, StringComparison.OrdinalIgnoreCase))
                return i;
            if (IsTool(words[i]))
                return 0;
        }
        return 0;
    }

    private static int SkipWords(IReadOnlyList<string> words, Func<string, bool> isPassed)
    {
        var i = 1;
        // The first argument of start can be a title. Without its quotation marks, nothing distinguishes a title from a program.
        while (i < words.Count && (isPassed(words[i]) || (i == 1 && !IsTool(words[i]))))
            i++;
        return i;
    }

    [GeneratedRegex(
        @"^\s*(?<prompt>PS(\s[^>|]*)?>+|[A-Za-z]:\\?[^>|""]*>|\$(?=\s)|\[?[A-Za-z_][-\w.]*@[-\w.]+[: ][^$#|""]{0,200}[$#](?=\s))\s*(?<command>\S.*)$",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant
    )]
    private static partial Regex GetPromptRegex();

    [GeneratedRegex(
        @"\b(sqlio|diskspd|fio)(64|32|2)?(\.exe)?[""']?\s+[-\u2013/]\S",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant
    )]
    internal static partial Regex GetToolRegex();
}
