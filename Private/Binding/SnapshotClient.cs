using System.Collections;
using System.Diagnostics;
using System.Globalization;
using System.Management.Automation;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Takes snapshots of sys.dm_io_virtual_file_stats with the SQL client of the user's session. IoBench has none.</summary>
internal sealed class SnapshotClient
{
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(5);

    // Client, parameter of the instance, and parameter of the credential.
    private static readonly (string Command, string Instance, string Credential)[] s_clients =
    [
        ("Invoke-DbaQuery", "SqlInstance", "SqlCredential"),
        ("Invoke-Sqlcmd", "ServerInstance", "Credential"),
    ];

    private readonly PSCmdlet _cmdlet;
    private readonly CommandInfo _command;
    private readonly Hashtable _parameters;
    private readonly string _instance;

    private SnapshotClient(PSCmdlet cmdlet, CommandInfo command, Hashtable parameters, string instance)
    {
        _cmdlet = cmdlet;
        _command = command;
        _parameters = parameters;
        _instance = instance;
    }

    /// <exception cref="IoBenchException"><c>IoBench.NoSqlClient</c>: the session has neither command.</exception>
    public static SnapshotClient Find(PSCmdlet cmdlet, string instance, PSCredential? credential)
    {
        foreach (var client in s_clients)
        {
            if (cmdlet.InvokeCommand.GetCommand(client.Command, CommandTypes.Function | CommandTypes.Cmdlet) is not { } command)
                continue;
            var parameters = new Hashtable
            {
                [client.Instance] = instance,
                ["Query"] = FileStatsSnapshot.SnapshotQueryText,
                ["ErrorAction"] = ActionPreference.Stop,
            };
            // dbatools reports errors as warnings by default.
            if (command.Parameters.ContainsKey("EnableException"))
                parameters["EnableException"] = true;
            if (credential is not null)
                parameters[client.Credential] = credential;
            return new(cmdlet, command, parameters, instance);
        }
        throw IoBenchException.Usage(
            "IoBench.NoSqlClient",
            $"{new OptionName("SqlInstance")} uses Invoke-DbaQuery (dbatools) or Invoke-Sqlcmd (SqlServer), but neither command is available in this session.",
            advice: "Install dbatools (Install-PSResource dbatools), or save the snapshots with the query in Get-Help New-IoWorkload -Examples."
        );
    }

    /// <summary>Takes a snapshot at once, then every 5 seconds, and the last one at the end.</summary>
    public IEnumerable<IReadOnlyList<object>> TakeSnapshots(TimeSpan duration, CancellationToken stop)
    {
        var clock = Stopwatch.StartNew();
        var count = (int)Math.Max(1, Math.Round(duration / s_interval));
        for (var i = 0; i <= count; i++)
        {
            if (stop.WaitHandle.WaitOne(TimeSpan.FromTicks(Math.Max(0, (duration * ((double)i / count) - clock.Elapsed).Ticks))))
                throw new OperationCanceledException(stop);
            _cmdlet.WriteProgress(
                new ProgressRecord(
                    CmdletOutput.RunProgressId,
                    "IoBench: snapshots",
                    SafeText.Escape($"{_instance}: snapshot {i + 1} of {count + 1}")
                )
                {
                    PercentComplete = 100 * i / count,
                }
            );
            yield return TakeSnapshot();
        }
    }

    /// <summary>Saves rows as a CSV file that LoadFile reads. Binary columns are omitted.</summary>
    public static void Save(OutputFile output, IReadOnlyList<object> rows)
    {
        List<Dictionary<string, object?>> values = [.. rows.Select(DeserializedObject.GetMembers)];
        List<string> columns =
        [
            .. values[0].Where(column => DeserializedObject.Unwrap(column.Value) is not byte[]).Select(column => column.Key),
        ];
        output.Save(stream =>
        {
            using var writer = new StreamWriter(stream, leaveOpen: true);
            writer.WriteLine(string.Join(',', columns.Select(Quote)));
            foreach (var row in values)
                writer.WriteLine(string.Join(',', columns.Select(column => Quote(FormatValue(row.GetValueOrDefault(column))))));
        });
    }

    private static string FormatValue(object? value) =>
        DeserializedObject.Unwrap(value) switch
        {
            null or DBNull => "",
            DateTime time => time.ToString("yyyy-MM-dd HH:mm:ss.fff", CultureInfo.InvariantCulture),
            var other => Convert.ToString(other, CultureInfo.InvariantCulture) ?? "",
        };

    private static string Quote(string text) => $"\"{text.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";

    private List<object> TakeSnapshot()
    {
        try
        {
            var rows = _cmdlet
                .InvokeCommand.InvokeScript(
                    false,
                    ScriptBlock.Create("param($command, $parameters) & $command @parameters"),
                    null,
                    _command,
                    _parameters
                )
                .Where(row => row is not null)
                .Cast<object>()
                .ToList();
            return rows.Count > 0
                ? rows
                : throw IoBenchException.Failure("IoBench.QueryFailed", $"{_command.Name} returned no rows from {_instance}.", _instance);
        }
        catch (RuntimeException error) when (error is not PipelineStoppedException)
        {
            throw IoBenchException.Failure(
                "IoBench.QueryFailed",
                $"{_command.Name} cannot query {_instance}: {error.Message}",
                _instance,
                error,
                advice: "Check the instance name, and make sure that you have the VIEW SERVER STATE permission (SQL Server 2022 and later: VIEW SERVER PERFORMANCE STATE)."
            );
        }
    }
}
