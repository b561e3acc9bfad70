namespace IoBench.Engine.Tests;

internal static class AllPermissions
{
    /// <summary>Creates options with every permission for these files and devices.</summary>
    public static TestRunOptions For(params string[] paths) =>
        new()
        {
            Permissions = new TargetPermissions
            {
                OverwriteFiles = [.. paths.Select(path => Path.GetFileName(path))],
                EraseDevices = paths,
                FillVolume = true,
                ReadDatabase = true,
            },
        };

    public static TestRunOptions For(IoTestSpecification specification) => For([.. specification.Targets.Select(target => target.Path)]);
}
