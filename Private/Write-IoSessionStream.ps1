function Write-IoSessionStream {
    <# Hands on what a script on another host said since the last look: errors, warnings and verbose lines under its name, the last of its progress. #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)]
        [hashtable] $Call,

        [Parameter(Mandatory)]
        [string] $Activity,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    $name = $Call.Machine.Name
    $streams = $Call.Shell.Streams
    foreach ($record in $streams.Error.ReadAll()) {
        $Call.Heard.Restart()
        # A connection that breaks says so here too; the end of the call is where that is told.
        if ($record.Exception -isnot [System.Management.Automation.Remoting.PSRemotingTransportException]) {
            Write-IoSessionError -Machine $Call.Machine -Record $record -Cmdlet $Cmdlet
        }
    }
    foreach ($record in $streams.Warning.ReadAll()) {
        $Call.Heard.Restart()
        $Cmdlet.WriteWarning("${name}: $($record.Message)")
    }
    foreach ($record in $streams.Verbose.ReadAll()) {
        $Call.Heard.Restart()
        $Cmdlet.WriteVerbose("${name}: $($record.Message)")
    }
    $last = $streams.Progress.ReadAll() | Select-Object -Last 1
    if ($null -ne $last) {
        $Call.Heard.Restart()
        if ($last.RecordType -eq 'Processing' -and $ProgressPreference -ne 'SilentlyContinue') {
            $Call.Progress = $last
            Write-Progress -Id 7359 -Activity $Activity -Status ' '
            Write-Progress -Id (7360 + $Call.Number) -ParentId 7359 -Activity $name -Status $last.StatusDescription -PercentComplete $last.PercentComplete -SecondsRemaining $last.SecondsRemaining
        }
    }
}
