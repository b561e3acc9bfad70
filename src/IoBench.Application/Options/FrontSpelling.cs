using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Spelling of options and commands in the CLI: <c>--block-size 8KB</c>, <c>iobench run</c>.</summary>
public sealed class CliSpelling : OptionSpelling
{
    private readonly IReadOnlyDictionary<string, string> _typed;

    /// <param name="typed">Options as the user typed them (<c>--qd</c>), by neutral name; null to use each option's own name.</param>
    public CliSpelling(IReadOnlyDictionary<string, string>? typed = null) => _typed = typed ?? new Dictionary<string, string>();

    public static CliSpelling Default { get; } = new();

    public override string Write(OptionName option)
    {
        var row = OptionTables.Find(option.Name);
        if (option.Name == OptionNames.Path.Name)
            return option.Value is null ? "PATH" : QuoteIfNeeded(option.Value);
        var name = _typed.TryGetValue(option.Name, out var typed) ? typed : row?.ProgramName ?? "--" + OptionRow.ToKebabCase(option.Name);
        return option.Value is null
            ? name
            : $"{name} {(row?.Kind.Allowed.Contains(option.Value) == true ? option.Value.ToLowerInvariant() : QuoteIfNeeded(option.Value))}";
    }

    public override string Write(IoCommand command) =>
        command == IoCommand.CapturedWorkload
            ? "iobench run PATH --from-file-stats BEFORE,AFTER"
            : $"iobench {command.ToString().ToLowerInvariant()}";

    private static string QuoteIfNeeded(string value) => value.Contains(' ', StringComparison.Ordinal) ? $"\"{value}\"" : value;
}

/// <summary>Spelling of options and commands in the PowerShell module: <c>-BlockSize 8KB</c>, <c>Invoke-IoTest</c>.</summary>
public sealed class PowerShellSpelling : OptionSpelling
{
    public static PowerShellSpelling Default { get; } = new();

    public override string Write(OptionName option) =>
        option.Value is null
            ? $"-{option.Name}"
            : $"-{option.Name} {(option.Value.Contains(' ', StringComparison.Ordinal) ? $"'{option.Value}'" : option.Value)}";

    public override string Write(IoCommand command) =>
        command switch
        {
            IoCommand.Run => "Invoke-IoTest",
            IoCommand.Import => "Import-IoResult",
            IoCommand.Report => "Export-IoReport",
            IoCommand.Convert => "ConvertFrom-IoCommandLine",
            IoCommand.Compare => "Compare-IoResult",
            IoCommand.Test => "Test-IoResult",
            IoCommand.Saturation => "Measure-IoSaturation",
            IoCommand.Limit => "Measure-IoLimit",
            IoCommand.Cap => "Find-IoCap",
            IoCommand.History => "Get-IoHistory",
            IoCommand.Workloads => "Get-IoWorkload",
            IoCommand.Remove => "Remove-IoTestFile",
            IoCommand.Verify => "Test-IoIntegrity",
            IoCommand.Witness => "iobench witness",
            _ => "New-IoWorkload -FromFileStats BEFORE,AFTER | Invoke-IoTest PATH",
        };
}
