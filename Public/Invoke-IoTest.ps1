function Invoke-IoTest {
    [CmdletBinding(DefaultParameterSetName = 'Path', SupportsShouldProcess, ConfirmImpact = 'Medium')]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSShouldProcess', '', Justification = 'Confirm-IoPlan asks for it, a path at a time.')]
    [OutputType([IoBench.Engine.IoTestResult])]
    param(
        [Parameter(Mandatory, Position = 0, ParameterSetName = 'Path', ValueFromPipeline, ValueFromPipelineByPropertyName)]
        [Parameter(Position = 0, ParameterSetName = 'InputObject')]
        [Parameter(Position = 0, ParameterSetName = 'Object')]
        [SupportsWildcards()]
        [string[]] $Path,

        [Parameter(Mandatory, ParameterSetName = 'LiteralPath', ValueFromPipelineByPropertyName)]
        [Alias('PSPath', 'FullName', 'PhysicalName')]
        [string[]] $LiteralPath,

        [Parameter(ParameterSetName = 'Path', Position = 1, ValueFromPipelineByPropertyName)]
        [Parameter(ParameterSetName = 'LiteralPath', ValueFromPipelineByPropertyName)]
        [Parameter(ParameterSetName = 'ParameterFile')]
        [string[]] $Workload,

        [Parameter(ValueFromPipelineByPropertyName)]
        [ArgumentCompletions('256MB', '1GB', '20GB', '100GB')]
        [IoBench.Engine.IoSize[]] $FileSize,

        [Parameter(ValueFromPipelineByPropertyName)]
        [ArgumentCompletions('10s', '30s', '60s', '5m', '1h')]
        [IoBench.Engine.IoDuration] $Duration,

        [Parameter(ValueFromPipelineByPropertyName)]
        [ArgumentCompletions('4KB', '8KB', '60KB', '64KB', '256KB', '512KB', '1MB')]
        [IoBench.Engine.IoSize[]] $BlockSize,

        [Parameter(ValueFromPipelineByPropertyName)]
        [Alias('QueueDepth', 'QD')]
        [int[]] $OutstandingIO,

        [Parameter(ValueFromPipelineByPropertyName)]
        [ArgumentCompletions('Auto', '1', '2', '4', '8', '16')]
        [string[]] $ThreadCount,

        [Parameter(ValueFromPipelineByPropertyName)]
        [ArgumentCompletions('0', '30', '50', '100')]
        [int[]] $WritePercent,

        [Parameter(ValueFromPipelineByPropertyName)]
        [IoBench.Engine.IoAccessPattern[]] $AccessPattern,

        [ValidateRange(1, 10000)]
        [int] $Repeat = 1,

        # Rounds of each test until five of them are steady.
        [switch] $SteadyState,

        [ValidateRange(5, 1000)]
        [int] $MaxRounds,

        [Parameter(ValueFromPipelineByPropertyName)]
        [string[]] $Label,

        [Parameter(Mandatory, ParameterSetName = 'InputObject', ValueFromPipeline)]
        [Alias('Specification')]
        [IoBench.Engine.IoTestSpecification[]] $InputObject,

        # What Get-IoWorkload puts out, through the pipeline; by name it is -Workload.
        [Parameter(ParameterSetName = 'Object', ValueFromPipeline, DontShow)]
        [IoBench.Engine.IoWorkload[]] $WorkloadObject,

        # Results through the pipeline are repeated. Without this their properties would bind by name, and a result has no BlockSize.
        [Parameter(ParameterSetName = 'Object', ValueFromPipeline, DontShow)]
        [IoBench.Engine.IoTestResult[]] $ResultObject,

        # Command lines of sqlio or diskspd, or files of them.
        [Parameter(Mandatory, ParameterSetName = 'CommandLine')]
        [string[]] $CommandLine,

        # SQLIO's param.txt: paths, threads, masks and sizes.
        [Parameter(Mandatory, ParameterSetName = 'ParameterFile')]
        [string] $ParameterFile,

        # Where a server's kinds of files lie: each role's own workloads, first alone, then all at once.
        [Parameter(ParameterSetName = 'Role')]
        [string] $DataPath,

        [Parameter(ParameterSetName = 'Role')]
        [string] $LogPath,

        [Parameter(ParameterSetName = 'Role')]
        [string] $TempdbPath,

        [Parameter(ParameterSetName = 'Role')]
        [string] $BackupPath,

        [IoBench.Engine.IoDuration] $WarmUp,

        [IoBench.Engine.IoDuration] $CoolDown,

        [IoBench.Engine.IoBuffering] $Buffering,

        [IoBench.Engine.IoPathMode] $PathMode = 'Each',

        [ValidateRange(0.001, 1e9)]
        [double] $TargetIops,

        [ArgumentCompletions("'1000 IOPS'", "'200 MB/s'", "'200 MiB/s'")]
        [IoBench.Engine.IoRate] $MaxRate,

        [ValidateRange(1, 100)]
        [int] $RandomPercent,

        [IoBench.Engine.IoSize] $Stride,

        [ValidateRange(1, [int]::MaxValue)]
        [int] $BurstSize,

        [IoBench.Engine.IoDuration] $ThinkTime,

        [ValidateRange(1, [int]::MaxValue)]
        [int] $FlushEvery,

        [ulong] $Seed,

        [ArgumentCompletions('Random', 'Zero', 'Pattern')]
        [string] $WriteContent,

        [ArgumentCompletions('Off', 'RoundRobin', '0-3', '0,2,4,6')]
        [string] $Affinity,

        [IoBench.Engine.IoBackendKind] $Backend,

        [IoBench.Engine.IoSize] $StorageCacheSize,

        [ValidateRange(0.001, 1e6)]
        [double] $StopAboveMs,

        [Alias('Idle')]
        [IoBench.Engine.IoDuration] $IdleSeconds,

        [switch] $Shuffle,

        [System.Management.Automation.Runspaces.PSSession[]] $Session,

        [string] $OutputPath,

        [switch] $Resume,

        [switch] $RemoveTestFile,

        [switch] $Force
    )

    begin {
        $requests = [System.Collections.Generic.List[IoBench.Engine.TestPlanRequest]]::new()
        $signature = $null
        # An object that is a test itself has properties of these names too: with it only what was given by hand counts.
        $givenByHand = @($PSBoundParameters.Keys)
        if ($Session -and $ThreadCount -contains 'Auto') {
            $PSCmdlet.ThrowTerminatingError((New-IoError -ErrorId 'IoBench.AutoThreads' -Kind Usage -Message 'All hosts of -Session run the same test, and Auto would be another on each. Give -ThreadCount a number.'))
        }
        if ($Resume -and -not $OutputPath) {
            $PSCmdlet.ThrowTerminatingError((New-IoError -ErrorId 'IoBench.ResumeWithoutOutput' -Kind Usage -Message '-Resume needs -OutputPath: the file of the run that was interrupted.'))
        }
    }

    process {
        # A saved result or specification that ConvertFrom-Json or Import-Csv read binds as text, or by the names of its properties as a row of a table does;
        # it is run as the object it was made of.
        $isSavedTest = $MyInvocation.ExpectingInput -and $PSCmdlet.ParameterSetName -in 'Path', 'LiteralPath' -and (Test-IoSavedTest -InputObject $_)
        $repeated = $isSavedTest ? @($_) : $ResultObject
        $hasPlace = -not $isSavedTest -or 'Path' -in $givenByHand -or 'LiteralPath' -in $givenByHand
        $resolved = $hasPlace ? @(Resolve-IoPath -Path $Path -LiteralPath $LiteralPath -AllowMissing -Elsewhere:($null -ne $Session) -Cmdlet $PSCmdlet) : @()
        if ($hasPlace -and $resolved.Count -eq 0 -and ($PSBoundParameters.ContainsKey('Path') -or $PSBoundParameters.ContainsKey('LiteralPath'))) {
            return
        }
        # Paths that come one by one with the same settings are one request: they are tested together when -PathMode says so.
        $settings = @{}
        foreach ($name in $PSBoundParameters.Keys) {
            if (($isSavedTest -or $PSCmdlet.ParameterSetName -in 'InputObject', 'Object') -and $name -notin $givenByHand) {
                continue
            }
            if ($name -notin 'Path', 'LiteralPath', 'InputObject', 'WorkloadObject', 'ResultObject', 'CommandLine', 'ParameterFile', 'DataPath', 'LogPath', 'TempdbPath', 'BackupPath', 'Session') {
                $settings[$name] = $PSBoundParameters[$name]
            }
        }
        $current = @(foreach ($name in $settings.Keys | Sort-Object) { "$name=$($settings[$name] -join '|')" }) -join "`n"
        if ($current -cne $signature) {
            try {
                $request = New-IoPlanRequest -Setting $settings -SessionState $PSCmdlet.SessionState
            } catch {
                $problem = ConvertTo-IoErrorRecord -ErrorObject $_
                if ($MyInvocation.ExpectingInput) {
                    $PSCmdlet.WriteError($problem)
                    return
                }
                $PSCmdlet.ThrowTerminatingError($problem)
            }
            $requests.Add($request)
            $signature = $current
        }
        $request = $requests[-1]
        $request.Paths = [string[]](@($request.Paths) + @($resolved | Where-Object { $_ -notin $request.Paths }))
        if ($InputObject) {
            $request.Specifications = [IoBench.Engine.IoTestSpecification[]](@($request.Specifications) + $InputObject)
        }
        if ($repeated) {
            foreach ($item in $repeated) {
                $again = [IoBench.Loader.Attempt]::ToSpecification($item)
                if ($again.Error) {
                    $PSCmdlet.WriteError((ConvertTo-IoErrorRecord -ErrorObject $again.Error -TargetObject $item))
                } else {
                    $request.Specifications = [IoBench.Engine.IoTestSpecification[]](@($request.Specifications) + $again.Value)
                }
            }
        }
        if ($CommandLine) {
            $request.Specifications = [IoBench.Engine.IoTestSpecification[]]@(Read-IoCommandLine -CommandLine $CommandLine -Cmdlet $PSCmdlet)
        }
        if ($ParameterFile) {
            $request.Specifications = [IoBench.Engine.IoTestSpecification[]]@(Read-IoParameterFile -Path $ParameterFile -Workload $Workload -Cmdlet $PSCmdlet)
            $request.Workloads = [string[]]@()
        }
        if ($PSCmdlet.ParameterSetName -eq 'Role') {
            $roles = foreach ($rolePath in $DataPath, $LogPath, $TempdbPath, $BackupPath) {
                $rolePath ? (Resolve-IoPath -Path $rolePath -AllowMissing -Elsewhere:($null -ne $Session) -Cmdlet $PSCmdlet | Select-Object -First 1) : ''
            }
            $added = [IoBench.Loader.OwnLoad]::AddRoles($request, [IoBench.Analysis.RolePaths]::new($roles[0], $roles[1], $roles[2], $roles[3]))
            if ($added.Error) {
                $PSCmdlet.ThrowTerminatingError((ConvertTo-IoErrorRecord -ErrorObject $added.Error))
            }
        }
        if ($WorkloadObject) {
            $request.Workloads = [string[]](@($request.Workloads) + $WorkloadObject.Name)
        }
    }

    end {
        $plan = [System.Collections.Generic.List[IoBench.Engine.IoTestSpecification]]::new()
        foreach ($request in $requests) {
            $made = [IoBench.Loader.Attempt]::Plan($request)
            if ($made.Error) {
                $problem = ConvertTo-IoErrorRecord -ErrorObject $made.Error
                if ($requests.Count -eq 1) {
                    $PSCmdlet.ThrowTerminatingError($problem)
                }
                $PSCmdlet.WriteError($problem)
            } else {
                $plan.AddRange([IoBench.Engine.IoTestSpecification[]]$made.Value)
            }
        }
        if ($plan.Count -eq 0) {
            return
        }

        if ($Session) {
            $run = @{ Plan = $plan; Session = $Session; OutputPath = $OutputPath; Resume = $Resume; RemoveTestFile = $RemoveTestFile; Force = $Force; Cmdlet = $PSCmdlet }
            Invoke-IoSessionTest @run
            return
        }

        $output = $null
        $outputFile = $null
        if ($OutputPath) {
            $outputFile = Resolve-IoOutputPath -Path $OutputPath -Cmdlet $PSCmdlet
            if ($Resume -and [System.IO.File]::Exists($outputFile)) {
                $output = Open-IoOutput -Path $outputFile -Resume -Cmdlet $PSCmdlet
                $plan = @(Select-IoUnfinished -Plan $plan -Output $output -Cmdlet $PSCmdlet)
                if ($plan.Count -eq 0) {
                    return
                }
            } elseif (-not $Resume -and -not $WhatIfPreference -and -not (Confirm-IoOverwrite -Path $outputFile -Force:$Force -Cmdlet $PSCmdlet)) {
                return
            }
        }

        $yes = @{}
        $approved = @(Confirm-IoPlan -Plan $plan -Force:$Force -Approved $yes -Cmdlet $PSCmdlet)
        if ($approved.Count -eq 0) {
            return
        }

        # Only now: -WhatIf, or a no, leaves no file behind.
        if ($outputFile -and $null -eq $output) {
            $output = Open-IoOutput -Path $outputFile -Cmdlet $PSCmdlet
        }

        $activity = 'IoBench: ' + (($approved | Where-Object Workload | Select-Object -First 1) ? "$($approved.Count) tests of SQL Server's I/O" : "$($approved.Count) test$($approved.Count -eq 1 ? '' : 's')")
        $unusable = [System.Collections.Generic.HashSet[string]]::new()
        $finished = [System.Collections.Generic.List[IoBench.Engine.IoTestResult]]::new()
        $known = [System.Collections.Generic.List[IoBench.Engine.IoTestResult]]::new()
        if ($null -ne $output) { $known.AddRange([IoBench.Engine.IoTestResult[]]@($output.Results)) }
        $used = [ordered]@{}
        try {
            for ($number = 1; $number -le $approved.Count; $number++) {
                $specification = $approved[$number - 1]
                if ($specification.Targets.Where({ $unusable.Contains((Get-IoTargetKey -Specification $specification -Target $_)) }).Count -gt 0) {
                    continue
                }
                if (-not [IoBench.Loader.Rounds]::IsWanted($specification, $known)) {
                    continue
                }
                $options = Get-IoRunOption -Path $specification.Targets.Path -Force:$Force -Approved $yes
                $position = @{
                    Activity = $activity
                    Number = $number
                    Count = $approved.Count
                    Left = [IoBench.Engine.TestPlan]::Estimate([IoBench.Engine.IoTestSpecification[]]@($approved | Select-Object -Skip $number)).Total
                }
                $ended = Invoke-IoRun -Specification $specification -Options $options -Position $position
                if ($ended.Error) {
                    $problem = ConvertTo-IoErrorRecord -ErrorObject $ended.Error -TargetObject ($specification.Targets.Path -join '; ')
                    # A file that is refused for one test is refused for its like: once is enough to say it.
                    if ($problem.Exception -is [IoBench.Engine.IoBenchException] -and $problem.Exception.Kind -in 'Refused', 'NotFound') {
                        foreach ($target in $specification.Targets) { $null = $unusable.Add((Get-IoTargetKey -Specification $specification -Target $target)) }
                    }
                    $PSCmdlet.WriteError($problem)
                    continue
                }
                $result = $ended.Value
                [IoBench.Loader.Rounds]::AddWarning($result, $known)
                $known.Add($result)
                $finished.Add($result)
                # A modelled device has no file.
                if ($result.Backend -ne 'Null') {
                    foreach ($target in $result.Targets) { $used[$target.Path] = $target.FileSizeMB }
                }
                if ($null -ne $output) {
                    Save-IoOutput -Output $output -Result $result -Cmdlet $PSCmdlet
                }
                $result
                Write-IoResultError -Result $result -Cmdlet $PSCmdlet
            }
            Write-IoSuiteNote -Result $finished -Cmdlet $PSCmdlet
        } finally {
            Write-Progress -Id 7350 -Activity $activity -Completed
            if ($RemoveTestFile) {
                Remove-IoUsedFile -Path $approved.Targets.Path -Cmdlet $PSCmdlet
            }
        }
        if (-not $RemoveTestFile) {
            foreach ($file in @($used.Keys | Where-Object { Test-Path -LiteralPath $_ })) {
                $size = [IoBench.Engine.IoSize]::new([double]$used[$file] * 1MB).ToDisplayString()
                Write-Information -MessageData "$file ($size) is kept for the next test: Remove-IoTestFile '$file'" -Tags 'IoBench'
            }
        }
    }
}
