# What can be said of a job script in T-SQL without a server or a parser of its own: tokens, batches, and calls of msdb's procedures with the parameters that their documentation lists.

# sp_add_job, sp_add_jobstep, sp_add_jobschedule, sp_add_jobserver (Transact-SQL), SQL Server 2017 and later. OneOf: exactly one of them.
$sqlProcedures = @{
    sp_add_job = @{
        Required = @('job_name'); OneOf = @()
        Others = @(
            'enabled', 'description', 'start_step_id', 'category_name', 'category_id', 'owner_login_name', 'notify_level_eventlog', 'notify_level_email', 'notify_level_netsend',
            'notify_level_page', 'notify_email_operator_name', 'notify_netsend_operator_name', 'notify_page_operator_name', 'delete_level', 'job_id'
        )
    }
    sp_add_jobstep = @{
        Required = @('step_name'); OneOf = 'job_id', 'job_name'
        Others = @(
            'step_id', 'subsystem', 'command', 'additional_parameters', 'cmdexec_success_code', 'on_success_action', 'on_success_step_id', 'on_fail_action', 'on_fail_step_id', 'server',
            'database_name', 'database_user_name', 'retry_attempts', 'retry_interval', 'os_run_priority', 'output_file_name', 'flags', 'proxy_id', 'proxy_name', 'step_uid'
        )
    }
    sp_add_jobschedule = @{
        Required = @('name'); OneOf = 'job_id', 'job_name'
        Others = @(
            'enabled', 'freq_type', 'freq_interval', 'freq_subday_type', 'freq_subday_interval', 'freq_relative_interval', 'freq_recurrence_factor', 'active_start_date',
            'active_end_date', 'active_start_time', 'active_end_time', 'schedule_id', 'automatic_post', 'schedule_uid'
        )
    }
    sp_add_jobserver = @{ Required = @(); OneOf = 'job_id', 'job_name'; Others = 'server_name', 'automatic_post' }
}

function Get-SqlToken {
    <# The tokens of a script, without comments. Throws where a text, a comment or a bracket is not closed. #>
    param([string] $Text)

    $kinds = [ordered]@{
        Space = '\s+'
        Comment = '--[^\n]*|/\*(?:[^*]|\*(?!/))*\*/'
        Text = "N?'(?:[^']|'')*'"
        Name = '\[(?:[^\]]|\]\])*\]|"(?:[^"]|"")*"|[A-Za-z_#][\w#$]*'
        Variable = '@@?\w+'
        Number = '\d+(?:\.\d+)?'
        Mark = '[-+*/=<>,;.()]'
    }
    $pattern = [regex]::new('\G(?:' + (@($kinds.Keys | ForEach-Object { "(?<$_>$($kinds[$_]))" }) -join '|') + ')')
    $open = [System.Collections.Generic.Stack[int]]::new()
    for ($at = 0; $at -lt $Text.Length; $at += $found.Length) {
        $line = $Text.Substring(0, $at).Split("`n").Count
        $found = $pattern.Match($Text, $at)
        if (-not $found.Success) { throw "line ${line}: '$($Text.Substring($at).Split("`n")[0])' is no token: something is not closed, or is not T-SQL." }
        $kind = @($kinds.Keys).Where({ $found.Groups[$_].Success })[0]
        if ($found.Value -eq '(') { $open.Push($line) }
        if ($found.Value -eq ')' -and -not $open.TryPop([ref] $null)) { throw "line ${line}: ) without (." }
        if ($kind -notin 'Space', 'Comment') { [pscustomobject]@{ Kind = $kind; Value = $found.Value; Line = $line } }
    }
    if ($open.Count -gt 0) { throw "line $($open.Peek()): ( without )." }
}

function Get-SqlBatch {
    <# The batches of a script, a list of tokens each. GO is a word of its tools: alone in its line, and never at a place where a statement goes on. #>
    param([string] $Text)

    $tokens = @(Get-SqlToken $Text)
    $batch = [System.Collections.Generic.List[object]]::new()
    foreach ($token in $tokens) {
        if ($token.Kind -eq 'Name' -and $token.Value -eq 'GO') {
            if ($tokens.Where({ $_.Line -eq $token.Line }).Count -gt 1) { throw "line $($token.Line): GO stands alone in its line." }
            if ($batch.Count -gt 0 -and $batch[-1].Value -ne ';') { throw "line $($token.Line): GO in the middle of a statement." }
            , $batch.ToArray()
            $batch.Clear()
        } else {
            $batch.Add($token)
        }
    }
    if ($batch.Count -gt 0) {
        if ($batch[-1].Value -ne ';') { throw "line $($batch[-1].Line): the last statement has no end." }
        , $batch.ToArray()
    }
}

function Get-SqlCall {
    <# The statements of a script: USE, and EXEC of a known procedure with named parameters that it has. Throws at everything else. #>
    param([string] $Text)

    foreach ($batch in @(Get-SqlBatch $Text)) {
        $statement = [System.Collections.Generic.List[object]]::new()
        foreach ($token in $batch) {
            if ($token.Value -ne ';') { $statement.Add($token); continue }
            $line = $statement[0].Line
            if ($statement[0].Value -eq 'USE' -and $statement.Count -eq 2 -and $statement[1].Kind -eq 'Name') {
                [pscustomobject]@{ Procedure = 'USE'; Parameters = @{ name = $statement[1].Value } }
            } elseif ($statement[0].Value -in 'EXEC', 'EXECUTE') {
                $start = $statement[2].Value -eq '.' ? 3 : 1
                $name = $statement[$start].Value
                $known = $sqlProcedures[$name]
                if (-not $known) { throw "line ${line}: $name is not a procedure that makes a job." }
                $parameters = @{}
                for ($i = $start + 1; $i -lt $statement.Count; $i += 4) {
                    $parts = $statement[$i..[math]::Min($i + 3, $statement.Count - 1)]
                    $form = "$($parts.Kind)"
                    if ($form -notmatch '^Variable Mark (Text|Number)( Mark)?$' -or $parts[1].Value -ne '=' -or ($parts.Count -eq 4) -ne ($i + 4 -lt $statement.Count) -or ($parts.Count -eq 4 -and $parts[3].Value -ne ',')) {
                        throw "line $($parts[0].Line): after $name comes @parameter = value, with a comma between two."
                    }
                    $parameter = $parts[0].Value.Substring(1)
                    if ($parameter -notin @($known.Required) + $known.OneOf + $known.Others) { throw "line $($parts[0].Line): $name has no @$parameter." }
                    if ($parameters.ContainsKey($parameter)) { throw "line $($parts[0].Line): @$parameter twice." }
                    $value = $parts[2].Value
                    $parameters[$parameter] = $parts[2].Kind -eq 'Text' ? ($value -replace "^N?'" -replace "'$").Replace("''", "'") : [double]$value
                }
                foreach ($needed in $known.Required) { if (-not $parameters.ContainsKey($needed)) { throw "line ${line}: $name needs @$needed." } }
                if ($known.OneOf -and @($known.OneOf | Where-Object { $parameters.ContainsKey($_) }).Count -ne 1) { throw "line ${line}: $name needs one of @$($known.OneOf -join ', @')." }
                foreach ($text in $parameters.Values) { if ("$text" -match '\$\(') { throw "line ${line}: $($Matches[0]) is an Agent token." } }
                [pscustomobject]@{ Procedure = $name; Parameters = $parameters }
            } else {
                throw "line ${line}: '$($statement.Value -join ' ')' is neither USE nor EXEC."
            }
            $statement.Clear()
        }
    }
}
