namespace IoBench.Engine.Tests;

public class SqlServerNearbyTests
{
    private static readonly Dictionary<(string Key, string Name), string> s_registry = new()
    {
        [("Instance Names\\SQL", "CLOSED")] = "MSSQL16.CLOSED",
        [("Instance Names\\SQL", "MSSQLSERVER")] = "MSSQL16.MSSQLSERVER",
        [("MSSQL16.MSSQLSERVER\\MSSQLServer", "DefaultData")] = @"E:\Data",
        [("MSSQL16.MSSQLSERVER\\MSSQLServer", "DefaultLog")] = @"L:\Log",
        [("MSSQL16.MSSQLSERVER\\Setup", "SQLDataRoot")] = @"C:\SQL\MSSQL",
    };

    private static RegistryValue Read(string key, string name)
    {
        const string server = @"SOFTWARE\Microsoft\Microsoft SQL Server\";
        Assert.StartsWith(server, key, StringComparison.Ordinal);
        return RegistryValue.Read(() =>
            key.Contains(@"\MSSQL16.CLOSED\", StringComparison.Ordinal) || name == "GONE"
                ? throw new UnauthorizedAccessException()
                : s_registry.GetValueOrDefault((key[server.Length..], name))
        );
    }

    [Fact]
    public void An_instance_that_may_not_be_read_hides_no_other() =>
        Assert.Equal(
            [@"E:\Data", @"L:\Log", @"C:\SQL\MSSQL\DATA"],
            SqlServerNearby.InstanceFolders(["CLOSED", "GONE", "MSSQLSERVER"], Read)
        );

    [Fact]
    public void An_instance_without_settings_names_no_folder() => Assert.Empty(SqlServerNearby.InstanceFolders(["NEW"], Read));
}
