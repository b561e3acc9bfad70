namespace IoBench.Formats;

internal sealed class BatchCondition(BatchVariables variables, string? folder, Func<string, bool> isMade)
{
    internal bool? IsTrue { get; private set; }

    internal string UnknownPart { get; private set; } = "";

    internal string Remainder { get; private set; } = "";

    internal bool TryParse(string text)
    {
        Remainder = text.TrimStart();
        var ignoreCase = TryReadWord("/i");
        var not = TryReadWord("not");
        ignoreCase |= TryReadWord("/i");
        if (!TryEvaluate(ignoreCase))
            return false;
        if (not)
            IsTrue = !IsTrue;
        return Remainder.Length > 0;
    }

    private bool TryEvaluate(bool ignoreCase)
    {
        if (TryReadWord("exist"))
        {
            EvaluateExists(ReadOperand());
            return true;
        }
        if (TryReadWord("defined"))
        {
            var name = ReadOperand();
            BatchPlaceholder.ResolveForCondition(variables.GetValue(name) ?? "", out var unknown);
            SetResult(unknown, variables.GetValue(name) is { Length: > 0 });
            return true;
        }
        if (TryReadWord("errorlevel"))
        {
            // Earlier commands are assumed to succeed, as for "||", so the exit code is 0.
            IsTrue = BatchPlaceholder.TryParseNumber(ReadOperand(), out var level) && level <= 0;
            return true;
        }
        if (TryReadWord("cmdextversion"))
        {
            IsTrue = BatchPlaceholder.TryParseNumber(ReadOperand(), out var version) && version <= 2;
            return true;
        }
        return TryCompare(ignoreCase);
    }

    private bool TryCompare(bool ignoreCase)
    {
        var left = ReadOperand();
        var comparison = ignoreCase ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;
        if (Remainder.StartsWith("==", StringComparison.Ordinal))
        {
            Remainder = Remainder[2..].TrimStart(' ', '\t', '=');
            Compare(left, ReadOperand(), (a, b) => string.Equals(a, b, comparison));
            return true;
        }
        foreach (
            var (word, holds) in (ReadOnlySpan<(string, Func<int, bool>)>)
                [
                    ("EQU", c => c == 0),
                    ("NEQ", c => c != 0),
                    ("LSS", c => c < 0),
                    ("LEQ", c => c <= 0),
                    ("GTR", c => c > 0),
                    ("GEQ", c => c >= 0),
                ]
        )
        {
            if (!TryReadWord(word))
                continue;
            Compare(
                left,
                ReadOperand(),
                (a, b) =>
                    holds(
                        BatchPlaceholder.TryParseNumber(a, out var x) && BatchPlaceholder.TryParseNumber(b, out var y)
                            ? x.CompareTo(y)
                            : string.Compare(a, b, comparison)
                    )
            );
            return true;
        }
        return false;
    }

    private void Compare(string left, string right, Func<string, string, bool> holds)
    {
        left = BatchPlaceholder.ResolveForCondition(left, out var unknown);
        right = BatchPlaceholder.ResolveForCondition(right, out var other);
        SetResult(unknown ?? other, holds(left, right));
    }

    /// <summary>A file that an earlier test creates exists. On Linux, a path with a Windows drive or share is unknown.</summary>
    private void EvaluateExists(string path)
    {
        path = BatchPlaceholder.ResolveForCondition(path, out var unknown).Trim('"');
        if (unknown is not null || path.Length == 0 || isMade(path))
        {
            SetResult(unknown, path.Length > 0);
            return;
        }
        if (
            !OperatingSystem.IsWindows()
            && (path.Contains(':', StringComparison.Ordinal) || path.StartsWith(@"\\", StringComparison.Ordinal))
        )
        {
            SetResult($"whether {path} exists", false);
            return;
        }
        SetResult(null, BatchFileLookup.Exists(folder, path));
    }

    private void SetResult(string? unknown, bool value)
    {
        IsTrue = unknown is null ? value : null;
        UnknownPart = unknown ?? "";
    }

    private bool TryReadWord(string word)
    {
        if (
            !Remainder.StartsWith(word, StringComparison.OrdinalIgnoreCase)
            || Remainder.Length == word.Length
            || !(char.IsWhiteSpace(Remainder[word.Length]) || Remainder[word.Length] == '"')
        )
            return false;
        Remainder = Remainder[word.Length..].TrimStart();
        return true;
    }

    private string ReadOperand()
    {
        var quoted = false;
        var i = 0;
        for (; i < Remainder.Length; i++)
        {
            if (Remainder[i] == '"')
                quoted = !quoted;
            else if (!quoted && (char.IsWhiteSpace(Remainder[i]) || (Remainder[i] == '=' && Remainder.AsSpan(i).StartsWith("=="))))
                break;
        }
        var word = Remainder[..i];
        Remainder = Remainder[i..].TrimStart();
        return word;
    }
}
