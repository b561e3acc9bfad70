namespace IoBench.Cli.Options;

/// <summary>What an old tool's command line may do to raw devices.</summary>
internal static class DeviceOptions
{
    /// <summary>The option's name, which stands before the tool's.</summary>
    public const string Name = "--erase-device";
}
