namespace IoBench.Formats;

/// <summary>
/// The condition of an <c>if</c>: <c>exist</c>, <c>defined</c>, <c>errorlevel</c>, <c>==</c>, and <c>EQU NEQ LSS LEQ GTR GEQ</c>.
/// </summary>
internal sealed class BatchCondition(BatchVariables variables, string? folder, Func<string, bool> isMade)
{
    internal bool? Value { get; private set; }

    internal string Unknown { get; private set; } = "";

    internal string Rest { get; private set; } = "";

    internal bool TryTake(string text)
    {
        Rest = text.TrimStart();
        var ignoreCase = TakeWord("/i");
        var not = TakeWord("not");
        ignoreCase |= TakeWord("/i");
        if (!TryEvaluate(ignoreCase))
            return false;
        if (not)
            Value = !Value;
        return Rest.Length > 0;
    }

    private bool TryEvaluate(bool ignoreCase)
    {
        if (TakeWord("exist"))
        {
            Exists(Operand());
            return true;
        }
        if (TakeWord("defined"))
        {
            var name = Operand();
            BatchValue.ForCondition(variables.ValueOf(name) ?? "", out var unknown);
            Set(unknown, variables.ValueOf(name) is { Length: > 0 });
            return true;
        }
        if (TakeWord("errorlevel"))
        {
            // Earlier commands are assumed to succeed, as for "||", so the exit code is 0.
            Value = BatchValue.TryNumber(Operand(), out var level) && level <= 0;
            return true;
        }
        if (TakeWord("cmdextversion"))
        {
            Value = BatchValue.TryNumber(Operand(), out var version) && version <= 2;
            return true;
        }
        return TryCompare(ignoreCase);
    }

    private bool TryCompare(bool ignoreCase)
    {
        var left = Operand();
        var order = ignoreCase ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal;
        if (Rest.StartsWith("==", StringComparison.Ordinal))
        {
            Rest = Rest[2..].TrimStart(' ', '\t', '=');
            Compare(left, Operand(), (a, b) => string.Equals(a, b, order));
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
            if (!TakeWord(word))
                continue;
            Compare(
                left,
                Operand(),
                (a, b) =>
                    holds(
                        BatchValue.TryNumber(a, out var x) && BatchValue.TryNumber(b, out var y)
                            ? x.CompareTo(y)
                            : string.Compare(a, b, order)
                    )
            );
            return true;
        }
        return false;
    }

    private void Compare(string left, string right, Func<string, string, bool> holds)
    {
        left = BatchValue.ForCondition(left, out var unknown);
        right = BatchValue.ForCondition(right, out var other);
        Set(unknown ?? other, holds(left, right));
    }

    /// <summary>
    /// Looks for the file on this computer. A file that an earlier test creates exists. On Linux, the result for a path with a Windows
    /// drive or share is unknown.
    /// </summary>
    private void Exists(string path)
    {
        path = BatchValue.ForCondition(path, out var unknown).Trim('"');
        if (unknown is not null || path.Length == 0 || isMade(path))
        {
            Set(unknown, path.Length > 0);
            return;
        }
        if (
            !OperatingSystem.IsWindows()
            && (path.Contains(':', StringComparison.Ordinal) || path.StartsWith(@"\\", StringComparison.Ordinal))
        )
        {
            Set($"whether {path} exists", false);
            return;
        }
        Set(null, BatchFolder.Exists(folder, path));
    }

    private void Set(string? unknown, bool value)
    {
        Value = unknown is null ? value : null;
        Unknown = unknown ?? "";
    }

    private bool TakeWord(string word)
    {
        if (
            !Rest.StartsWith(word, StringComparison.OrdinalIgnoreCase)
            || Rest.Length == word.Length
            || !(char.IsWhiteSpace(Rest[word.Length]) || Rest[word.Length] == '"')
        )
            return false;
        Rest = Rest[word.Length..].TrimStart();
        return true;
    }

    private string Operand()
    {
        var quoted = false;
        var i = 0;
        for (; i < Rest.Length; i++)
        {
            if (Rest[i] == '"')
                quoted = !quoted;
            else if (!quoted && (char.IsWhiteSpace(Rest[i]) || (Rest[i] == '=' && Rest.AsSpan(i).StartsWith("=="))))
                break;
        }
        var word = Rest[..i];
        Rest = Rest[i..].TrimStart();
        return word;
    }
}
