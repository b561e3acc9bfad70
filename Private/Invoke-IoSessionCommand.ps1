function Invoke-IoSessionCommand {
    <#
        Runs a script on several hosts at once, each in its PSSession, and puts out what they give as it comes: objects with Machine and Value.
        Warnings, verbose lines and errors go to the calling cmdlet under the host's name. A host that is lost is an error and no longer Alive; the
        others go on. Ending the pipeline early ends the script on all hosts.
    #>
    [CmdletBinding()]
    [OutputType([pscustomobject])]
    param(
        # What Connect-IoSession keeps of each host.
        [Parameter(Mandatory)]
        [AllowEmptyCollection()]
        [object[]] $Machine,

        [Parameter(Mandatory)]
        [string] $Script,

        # Gives the script's parameters for a host, as a hashtable.
        [Parameter(Mandatory)]
        [scriptblock] $Argument,

        [Parameter(Mandatory)]
        [string] $Activity,

        # A script that works tells its progress several times a second. So long without a word means that the host is gone, even if no
        # connection has noticed: a machine without power closes none.
        [timespan] $Silence = [timespan]::FromSeconds(90),

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    $blind = $null
    $calls = [System.Collections.Generic.List[object]]::new()
    try {
        # First everything is made ready, then all are started, so that nothing lies between one start and the next.
        foreach ($item in $Machine) {
            $shell = [powershell]::Create()
            $shell.Runspace = $item.Session.Runspace
            $null = $shell.AddScript($Script).AddParameters([hashtable](& $Argument $item))
            $calls.Add(@{
                    Machine = $item; Shell = $shell; Output = [System.Management.Automation.PSDataCollection[psobject]]::new()
                    Handle = $null; Heard = [System.Diagnostics.Stopwatch]::StartNew(); Ended = $false; Progress = $null; Number = $calls.Count
                })
        }
        # With the host of this session what a remote script says would be shown by PowerShell too, without the host's name. The host of a runspace
        # that nobody watches has no user interface: then everything comes as records only.
        $blind = [powershell]::Create()
        $settings = [System.Management.Automation.PSInvocationSettings]::new()
        $settings.Host = $blind.AddScript('$Host').Invoke()[0]
        $nothing = [System.Management.Automation.PSDataCollection[psobject]]::new()
        $nothing.Complete()
        foreach ($call in $calls) {
            try {
                $call.Handle = $call.Shell.BeginInvoke($nothing, $call.Output, $settings, $null, $null)
            } catch {
                $call.Ended = $true
                Write-IoSessionLoss -Machine $call.Machine -Reason ($_.Exception.InnerException ?? $_.Exception).Message -Cmdlet $Cmdlet
            }
        }
        do {
            foreach ($call in $calls) {
                if ($call.Ended) {
                    continue
                }
                # Asked before its output is taken: what has ended says nothing more.
                $call.Ended = $call.Handle.IsCompleted
                foreach ($value in $call.Output.ReadAll()) {
                    $call.Heard.Restart()
                    [pscustomobject]@{ Machine = $call.Machine; Value = $value }
                }
                Write-IoSessionStream -Call $call -Activity $Activity -Cmdlet $Cmdlet
                if ($call.Ended) {
                    Complete-IoSessionCall -Call $call -Cmdlet $Cmdlet
                } elseif ($call.Heard.Elapsed -gt $Silence) {
                    $call.Ended = $true
                    $null = $call.Shell.BeginStop($null, $null)
                    Write-IoSessionLoss -Machine $call.Machine -Reason "nothing was heard of it for $([int]$call.Heard.Elapsed.TotalSeconds) s" -Cmdlet $Cmdlet
                }
            }
            $left = $calls.Where({ -not $_.Ended }).Count
            if ($left -gt 0) { [System.Threading.Thread]::Sleep(50) }
        } while ($left -gt 0)
    } finally {
        if ($null -ne $blind) { $blind.Dispose() }
        # Reached by Ctrl+C too: no host may be left working.
        foreach ($call in $calls) {
            if (-not $call.Ended -and $null -ne $call.Handle) { $call.Stop = $call.Shell.BeginStop($null, $null) }
        }
        $deadline = [datetime]::UtcNow.AddSeconds(10)
        foreach ($call in $calls) {
            while ($call['Stop'] -and -not $call.Stop.IsCompleted -and [datetime]::UtcNow -lt $deadline) { [System.Threading.Thread]::Sleep(20) }
            # Disposing of a call that still runs would wait for a host that may never answer.
            if ($call.Shell.InvocationStateInfo.State -notin 'Running', 'Stopping') { $call.Shell.Dispose() }
            if ($call.Progress) { Write-Progress -Id (7360 + $call.Number) -ParentId 7359 -Activity $call.Machine.Name -Completed }
        }
    }
}
