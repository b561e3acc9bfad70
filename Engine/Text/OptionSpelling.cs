namespace IoBench.Engine;

/// <summary>A command of the CLI and the corresponding cmdlet.</summary>
public enum IoCommand
{
    Run,
    Import,
    Report,
    Convert,
    Compare,
    Test,
    Saturation,
    Limit,
    Cap,
    History,
    Workloads,
    Remove,
    Verify,
    Witness,

    /// <summary>Run a captured workload, from two snapshots of sys.dm_io_virtual_file_stats.</summary>
    CapturedWorkload,
}

/// <summary>Spelling of options and commands in messages; neutral with plain option names, for logs and files that both front ends
/// read.</summary>
public class OptionSpelling
{
    public static OptionSpelling Neutral { get; } = new();

    public virtual string Write(OptionName option) => option.ToString();

    public virtual string Write(IoCommand command) => $"IoBench {command}";

    internal string Write(string marker)
    {
        if (marker.StartsWith('!') && Enum.TryParse<IoCommand>(marker[1..], out var command))
            return Write(command);
        return OptionName.TryParse(marker, out var option) ? Write(option) : "{" + marker + "}";
    }
}
