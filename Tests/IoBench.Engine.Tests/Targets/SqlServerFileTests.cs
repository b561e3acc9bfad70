namespace IoBench.Engine.Tests;

public class SqlServerFileTests
{
    private static readonly Dictionary<(string Key, string Name), string> s_registry = new()
    {
        [("Instance Names\\SQL", "CLOSED")] = "MSSQL16.CLOSED",
        [("Instance Names\\SQL", "MSSQLSERVER")] = "MSSQL16.MSSQLSERVER",
        [("MSSQL16.MSSQLSERVER\\MSSQLServer", "DefaultData")] = @"E:\Data",
        [("MSSQL16.MSSQLSERVER\\MSSQLServer", "DefaultLog")] = @"L:\Log",
        [("MSSQL16.MSSQLSERVER\\Setup", "SQLDataRoot")] = @"C:\SQL\MSSQL",
    };

    private static RegistryValue ReadRegistry(string key, string name)
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
    public void Unreadable_instance_does_not_hide_others() =>
        Assert.Equal(
            [@"E:\Data", @"L:\Log", @"C:\SQL\MSSQL\DATA"],
            SqlServerFile.GetInstanceFolders(["CLOSED", "GONE", "MSSQLSERVER"], ReadRegistry)
        );

    [Fact]
    public void Instance_without_settings_has_no_folders() => Assert.Empty(SqlServerFile.GetInstanceFolders(["NEW"], ReadRegistry));
}
