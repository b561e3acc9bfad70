function Invoke-IoSessionPlan {
    <#
        Runs a plan on the hosts of sessions. Every host first makes its files; each test then starts on all of them at one moment, once the last has ended
        the test before. Results come as they end.
    #>
    [CmdletBinding()]
    [OutputType([IoBench.Engine.IoTestResult])]
    param(
        [Parameter(Mandatory)]
        [IoBench.Engine.IoTestSpecification[]] $Plan,

        # What Connect-IoSession gave.
        [Parameter(Mandatory)]
        [object[]] $Machine,

        # Null = results are not kept in a file; its earlier results are not run again.
        [AllowNull()]
        [IoBench.Formats.ResultFile] $Output,

        [switch] $Force,

        [switch] $RemoveTestFile,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    $activity = "IoBench: $($Plan.Count) test$($Plan.Count -eq 1 ? '' : 's') on $($Machine.Count) host$($Machine.Count -eq 1 ? '' : 's')"
    $said = [System.Collections.Generic.HashSet[string]]::new()
    $text = [System.Management.Automation.PSSerializer]::Serialize($Plan, 9)
    $isForced = [bool]$Force
    $isVerbose = $VerbosePreference -ne 'SilentlyContinue'
    # A host cannot ask: what -Confirm:$false answers here it answers there.
    $isQuiet = $ConfirmPreference -eq 'None'
    try {
        foreach ($item in $Machine) {
            $item.Tests.UnionWith([int[]]@(Get-IoSessionTest -Plan $Plan -Output $Output -Machine $item -All $Machine))
        }
        $prepare = 'param($Setting) & (Get-Module IoBench) { param($Setting) Initialize-IoSessionPlan @Setting } $Setting'
        $call = @{
            Machine = @($Machine.Where({ $_.Tests.Count -gt 0 })); Script = $prepare; Activity = $activity; Cmdlet = $Cmdlet
            Argument = {
                $setting = @{ Plan = $text; Number = [int[]]@($args[0].Tests); Force = $isForced; Verbose = $isVerbose }
                if ($isQuiet) { $setting.Confirm = $false }
                @{ Setting = $setting }
            }
        }
        Invoke-IoSessionCommand @call | ForEach-Object { $null = $_.Machine.Ready.Add([int]$_.Value) }

        $script = 'param($Setting) & (Get-Module IoBench) { param($Setting) Invoke-IoSessionRun @Setting } $Setting'
        $used = [ordered]@{}
        # What each session has measured, with what an earlier, interrupted call has: its rounds end when they are steady there.
        $known = @{}
        foreach ($item in $Machine) {
            $known[$item.Name] = [System.Collections.Generic.List[IoBench.Engine.IoTestResult]]::new()
            if ($null -ne $Output) {
                $Output.Results.Where({ $_.ComputerName -eq $item.ComputerName }).ForEach({ $known[$item.Name].Add($_) })
            }
        }
        for ($number = 0; $number -lt $Plan.Count; $number++) {
            $running = @($Machine.Where({ $_.Alive -and -not $_.Failed -and $_.Ready.Contains($number) -and [IoBench.Loader.Rounds]::IsWanted($Plan[$number], $known[$_.Name]) }))
            if ($running.Count -eq 0) { continue }
            $one = [System.Management.Automation.PSSerializer]::Serialize(@($Plan[$number]), 9)
            $position = @{ Activity = $activity; Number = $number + 1; Count = $Plan.Count; Left = [IoBench.Engine.TestPlan]::Estimate([IoBench.Engine.IoTestSpecification[]]@($Plan | Select-Object -Skip ($number + 1))).Total }
            $call = @{ Machine = $running; Script = $script; Activity = $activity; Cmdlet = $Cmdlet; Argument = { @{ Setting = @{ Plan = $one; Position = $position; Force = $isForced; AllowSqlServerRead = $isQuiet; Verbose = $isVerbose } } } }
            Invoke-IoSessionCommand @call | ForEach-Object {
                $result = [IoBench.Loader.LooseObject]::ToResult($_.Value)
                $result.ComputerName = $_.Machine.ComputerName
                [IoBench.Loader.Rounds]::AddWarning($result, $known[$_.Machine.Name])
                $known[$_.Machine.Name].Add($result)
                foreach ($target in $result.Targets) { $used["$($_.Machine.Name): $($target.Path)"] = $target.FileSizeMB }
                if ($null -ne $Output) {
                    Save-IoOutput -Output $Output -Result $result -Cmdlet $Cmdlet
                }
                $result
                Write-IoResultNote -Result $result -Said $said -Prefix "$($_.Machine.Name): " -Cmdlet $Cmdlet
            }
        }
        if ($RemoveTestFile) {
            $remove = 'param($Path) & (Get-Module IoBench) { param($Path) Remove-IoSessionFile -Path $Path } $Path'
            $call = @{ Machine = @($Machine.Where({ $_.Alive })); Script = $remove; Activity = $activity; Cmdlet = $Cmdlet; Argument = { @{ Path = [string[]]@($Plan.Targets.Path) } } }
            Invoke-IoSessionCommand @call
        } else {
            foreach ($file in $used.Keys) {
                $size = [IoBench.Engine.IoSize]::new([double]$used[$file] * 1MB).ToDisplayString()
                Write-Information -MessageData "$file ($size) is kept for the next test. Remove it there with Remove-IoTestFile, or run with -RemoveTestFile." -Tags 'IoBench'
            }
        }
    } finally {
        Write-Progress -Id 7359 -Activity $activity -Completed
    }
}
